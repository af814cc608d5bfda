package io.quotascope.jobs.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.Bytes;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollupFunctionTest {
    private static final long MINUTE_MS = 1_767_225_600_000L;

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ShardArrival, StatementArrival, ServiceWindow>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, ShardArrival, StatementArrival, ServiceWindow>
            harness() throws Exception {
        RollupFunction function =
                new RollupFunction(
                        new ByteFormType<>(new WindowPartForm()),
                        new ByteFormType<>(new AccumulatorForm()),
                        3);
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(function),
                arrival -> KeyText.of(arrival.window().key()),
                arrival -> KeyText.of(arrival.statement().key()),
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

    private void shard(String service, long windowStartMs, long appendMs) throws Exception {
        ShardRecord record = new ShardRecord();
        record.service = service;
        record.windowStartUs = windowStartMs * 1000;
        ShardArrival arrival =
                new ShardArrival(
                        record.framed(),
                        record.build(),
                        WindowPart.of(record.windowStartUs, appendMs));
        operator.processElement1(Bytes.roundTrip(new ShardArrivalForm(), arrival), appendMs);
    }

    private void host(long windowStartMs, long appendMs, int records) throws Exception {
        HostRecord record = new HostRecord().sent("checkout", records);
        record.windowStartUs = windowStartMs * 1000;
        StatementArrival arrival =
                new StatementArrival(
                        record.build().statements().get(0),
                        WindowPart.of(record.windowStartUs, appendMs));
        operator.processElement2(Bytes.roundTrip(new StatementArrivalForm(), arrival), appendMs);
    }

    private void clock(long ms) throws Exception {
        operator.processBothWatermarks(new org.apache.flink.streaming.api.watermark.Watermark(ms));
    }

    private List<ServiceWindow> rows() {
        return operator.extractOutputValues();
    }

    @Test
    void emitsARowOnceWhenItsPartHasEnded() throws Exception {
        shard("checkout", MINUTE_MS, MINUTE_MS + 11_000);
        shard("checkout", MINUTE_MS + 50_000, MINUTE_MS + 61_000);
        host(MINUTE_MS, MINUTE_MS + 12_000, 2);
        clock(MINUTE_MS + 89_999);
        assertThat(rows()).isEmpty();
        clock(MINUTE_MS + 90_000);
        assertThat(rows()).hasSize(1);
        ServiceWindow row = rows().get(0);
        assertThat(row.part()).isZero();
        assertThat(row.revision()).isEqualTo(3);
        assertThat(row.sums().reporting().records()).isEqualTo(2);
        assertThat(row.sums().reporting().expectedRecords()).isEqualTo(2);
        clock(MINUTE_MS + 86_400_000);
        assertThat(rows()).hasSize(1);
    }

    @Test
    void aHostThatReturnsHoursLaterAddsAPart() throws Exception {
        shard("checkout", MINUTE_MS, MINUTE_MS + 11_000);
        clock(MINUTE_MS + 3 * 3_600_000);
        shard("checkout", MINUTE_MS, MINUTE_MS + 3 * 3_600_000 + 5);
        clock(MINUTE_MS + 4 * 3_600_000);
        long part = (MINUTE_MS + 3 * 3_600_000 + 5) / 900_000;
        assertThat(rows()).extracting(ServiceWindow::part).containsExactly(0L, part);
        assertThat(rows().get(1).sums().reporting().records()).isEqualTo(1);
    }

    @Test
    void rowsOfOneInstantLeaveInTheOrderOfTheirMinutes() throws Exception {
        long appendMs = MINUTE_MS + 3_600_000;
        for (long minute : new long[] {7, 2, 9, 4}) {
            shard("checkout", MINUTE_MS + minute * 60_000, appendMs);
        }
        clock(appendMs + 900_000);
        assertThat(rows())
                .extracting(row -> (row.sums().windowStartUs() / 1000 - MINUTE_MS) / 60_000)
                .containsExactly(2L, 4L, 7L, 9L);
    }

    @Test
    void leavesNoStateAndNoTimer() throws Exception {
        for (int service = 0; service < 20; service++) {
            shard("service-" + service, MINUTE_MS, MINUTE_MS + 11_000);
            shard("service-" + service, MINUTE_MS, MINUTE_MS + 3_600_000);
        }
        host(MINUTE_MS, MINUTE_MS + 12_000, 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(MINUTE_MS + 2 * 3_600_000);
        assertThat(rows()).hasSize(41);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void goesOnAfterARestoreAsIfNothingHadHappened() throws Exception {
        shard("checkout", MINUTE_MS, MINUTE_MS + 11_000);
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        shard("checkout", MINUTE_MS + 10_000, MINUTE_MS + 21_000);
        clock(MINUTE_MS + 90_000);
        assertThat(rows()).hasSize(1);
        assertThat(rows().get(0).sums().reporting().records()).isEqualTo(2);
    }
}
