package io.quotascope.jobs.changes;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.change.ChangeWatch;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangesFunctionTest {
    private KeyedOneInputStreamOperatorTestHarness<String, ServiceWindow, ChangeEvent> operator;

    private static KeyedOneInputStreamOperatorTestHarness<String, ServiceWindow, ChangeEvent>
            harness() throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(
                        new ChangesFunction(
                                new ByteFormType<>(new ServiceShapeForm()),
                                new ByteFormType<>(new ChangeWatchForm()),
                                () -> ChangeWatch.Policy.DEFAULT)),
                row -> row.sums().key().service(),
                Types.STRING);
    }

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    /** A row of one shard, appended 91 s after its minute began. */
    private void read(int minute, long part, long quotaUs) throws Exception {
        operator.processElement(
                row(minute, part, 6, record -> record.quotaUs = OptionalLong.of(quotaUs)),
                appendMs(minute));
    }

    private static long appendMs(int minute) {
        return MINUTE_US / 1000 + minute * 60_000L + 91_000;
    }

    private void clock(long ms) throws Exception {
        operator.processWatermark(new Watermark(ms));
    }

    @Test
    void aSettledChangeOfTheQuotaIsToldOnce() throws Exception {
        for (int minute = 0; minute < 10; minute++) {
            read(minute, 0, minute < 4 ? 20_000 : 40_000);
            read(minute, 0, minute < 4 ? 20_000 : 40_000);
            clock(appendMs(minute));
        }
        clock(appendMs(10));
        assertThat(operator.extractOutputValues()).hasSize(1);
        ChangeEvent event = operator.extractOutputValues().get(0);
        assertThat(event.kind()).isEqualTo(Kind.QUOTA);
        assertThat(event.atUs()).isEqualTo(MINUTE_US + 4 * 60_000_000L);
        assertThat(event.wording().settingAfter()).hasValue("400m/100ms");
        assertThat(event.service()).isEqualTo("checkout");
    }

    @Test
    void laterPartsAndRepeatedMinutesTellNothing() throws Exception {
        for (int minute = 0; minute < 10; minute++) {
            read(minute, 0, 20_000);
            read(minute, 1_963_600, 40_000);
            clock(appendMs(minute));
        }
        for (int minute = 0; minute < 9; minute++) {
            read(minute, 0, 40_000);
        }
        clock(appendMs(20));
        assertThat(operator.extractOutputValues()).isEmpty();
    }

    @Test
    void theOrderOfClassesWithinAMinuteDoesNotMatter() throws Exception {
        for (int minute = 0; minute < 10; minute++) {
            long[] classes = minute % 2 == 0 ? new long[] {1, 2} : new long[] {2, 1};
            for (long each : classes) {
                read(minute, 0, 20_000 * each);
            }
            clock(appendMs(minute));
        }
        clock(appendMs(20));
        // half has one and half the other: nobody wins, nothing changes
        assertThat(operator.extractOutputValues()).isEmpty();
    }

    @Test
    void theOrderOfServicesAndOfClassesWithinAMinuteChangesNothing() throws Exception {
        Set<ChangeEvent> first = null;
        for (long seed = 0; seed < 3; seed++) {
            close();
            open();
            for (int minute = 0; minute < 12; minute++) {
                List<ServiceWindow> rows = new ArrayList<>();
                for (String service : List.of("a", "b")) {
                    for (long quotaUs : new long[] {20_000, minute < 4 ? 30_000 : 40_000}) {
                        rows.add(
                                row(
                                        minute,
                                        0,
                                        6,
                                        record -> {
                                            record.service = service;
                                            record.quotaUs = OptionalLong.of(quotaUs);
                                        }));
                    }
                }
                Collections.shuffle(rows, new Random(seed * 100 + minute));
                for (ServiceWindow row : rows) {
                    operator.processElement(row, appendMs(minute));
                }
                clock(appendMs(minute));
            }
            clock(appendMs(20));
            Set<ChangeEvent> told = Set.copyOf(operator.extractOutputValues());
            first = first == null ? told : first;
            assertThat(told).isEqualTo(first);
        }
    }

    @Test
    void leavesNoState() throws Exception {
        for (int minute = 0; minute < 30; minute++) {
            read(minute, 0, 20_000);
            clock(appendMs(minute));
        }
        assertThat(operator.numEventTimeTimers()).isLessThanOrEqualTo(3);
        long end = appendMs(29) + ChangesFunction.FORGOTTEN_MS;
        clock(end - 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(end);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void continuesFromASnapshotInTheMiddleOfAChange() throws Exception {
        for (int minute = 0; minute < 6; minute++) {
            read(minute, 0, minute < 4 ? 20_000 : 40_000);
            clock(appendMs(minute));
        }
        OperatorSubtaskState snapshot = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.setup();
        operator.initializeState(snapshot);
        operator.open();
        read(6, 0, 40_000);
        clock(appendMs(8));
        assertThat(operator.extractOutputValues())
                .extracting(ChangeEvent::atUs)
                .containsExactly(MINUTE_US + 4 * 60_000_000L);
    }
}
