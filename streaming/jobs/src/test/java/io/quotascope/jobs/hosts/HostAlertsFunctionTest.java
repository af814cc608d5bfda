package io.quotascope.jobs.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.AlertSeverity;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.alert.ThrottlingAlert.State;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.Interleaved;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.io.log.Accepted;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostAlertsFunctionTest {
    /** A whole hour. */
    private static final long START_MS = 1_767_225_600_000L;

    private static final long DAY_MS = 86_400_000;

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, Accepted<ShardWindow>, Accepted<HostReport>, ThrottlingAlert>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, Accepted<ShardWindow>, Accepted<HostReport>, ThrottlingAlert>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        new HostAlertsFunction(
                                HostsTopology.ALERT_STATE,
                                () -> AlertRules.DEFAULT,
                                0.9,
                                DAY_MS,
                                1)),
                each -> HostKey.of(each.record()).hostId(),
                each -> HostKey.of(each.record()).hostId(),
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

    private void host(String host, long windowMs, long appendMs, long threads) throws Exception {
        HostRecord record = new HostRecord();
        record.host = host;
        record.windowStartUs = windowMs * 1000;
        record.threads = threads;
        operator.processElement2(
                new Accepted<>(
                        record.framed(),
                        record.build(),
                        appendMs,
                        WindowPart.of(record.windowStartUs, appendMs),
                        OptionalLong.empty()),
                appendMs);
    }

    private void shard(long windowMs, long appendMs) throws Exception {
        ShardRecord record = new ShardRecord();
        record.windowStartUs = windowMs * 1000;
        operator.processElement1(
                new Accepted<>(
                        record.framed(),
                        record.build(),
                        appendMs,
                        WindowPart.of(record.windowStartUs, appendMs),
                        OptionalLong.empty()),
                appendMs);
    }

    private void clock(long ms) throws Exception {
        operator.processBothWatermarks(new Watermark(ms));
    }

    private List<ThrottlingAlert> alerts() {
        return operator.extractOutputValues();
    }

    private List<ThrottlingAlert> silences() {
        return alerts().stream().filter(each -> each.kind() == AlertKind.SILENT_HOST).toList();
    }

    @Test
    void aMinuteIsJudgedOnceWhenItsTimeHasPassed() throws Exception {
        for (int minute = 0; minute < 4; minute++) {
            long window = START_MS + minute * 60_000;
            host("host-1", window, window + 12_000, 2_000);
            clock(window + 90_000 - 1);
            assertThat(alerts()).hasSize(minute == 3 ? 1 : 0);
            clock(window + 90_000);
        }
        // 1000 threads a CPU for three minutes
        assertThat(alerts()).hasSize(1);
        ThrottlingAlert alert = alerts().get(0);
        assertThat(alert.kind()).isEqualTo(AlertKind.HOST_THREADS);
        assertThat(alert.sinceUs()).isEqualTo(START_MS * 1000);
        assertThat(alert.windowStartUs()).isEqualTo((START_MS + 120_000) * 1000);
        assertThat(alert.subject().hostId()).hasValue("host-1");
    }

    @Test
    void whatComesLateChangesNoAlertButIsASignOfLife() throws Exception {
        for (int minute = 0; minute < 4; minute++) {
            long window = START_MS + minute * 60_000;
            host("host-1", window, window + 100_000, 2_000);
            clock(window + 100_000);
        }
        assertThat(alerts()).isEmpty();
    }

    @Test
    void aHostThatStopsIsToldOnceGrowsCriticalAndReturns() throws Exception {
        host("host-1", START_MS, START_MS + 10_000, 10);
        shard(START_MS + 10_000, START_MS + 20_000);
        clock(START_MS + 20_000 + 180_000 - 1);
        assertThat(silences()).isEmpty();
        clock(START_MS + 20_000 + 180_000);
        assertThat(silences()).hasSize(1);
        assertThat(silences().get(0).state()).isEqualTo(State.FIRING);
        assertThat(silences().get(0).reasons().get(0)).contains("2026-01-01T00:00:20Z");
        clock(START_MS + 20_000 + 30 * 60_000);
        assertThat(silences()).hasSize(2);
        assertThat(silences().get(1).severity()).isEqualTo(AlertSeverity.CRITICAL);
        long back = START_MS + 40 * 60_000;
        host("host-1", back, back + 10_000, 10);
        assertThat(silences()).hasSize(3);
        assertThat(silences().get(2).state()).isEqualTo(State.RESOLVED);
        assertThat(silences().get(2).alertId()).isEqualTo(silences().get(0).alertId());
    }

    @Test
    void theSameLogGivesTheSameAlertsWhetherTheClockLagsOrNot() throws Exception {
        long[] appends = {10_000, 20_000, 260_000, 270_000, 2_900_000, 2_910_000};
        for (long append : appends) {
            clock(START_MS + append - 1);
            host("host-1", START_MS + append / 10_000 * 10_000 - 10_000, START_MS + append, 10);
        }
        clock(START_MS + 2_920_000);
        List<ThrottlingAlert> prompt = silences();
        assertThat(prompt)
                .extracting(ThrottlingAlert::state)
                .containsExactly(
                        State.FIRING, State.RESOLVED, State.FIRING, State.FIRING, State.RESOLVED);

        close();
        open();
        for (long append : appends) {
            host("host-1", START_MS + append / 10_000 * 10_000 - 10_000, START_MS + append, 10);
        }
        clock(START_MS + 2_920_000);
        assertThat(silences()).isEqualTo(prompt);
    }

    /** Topics of hosts and shards race each other, and hosts one another; each keeps its order. */
    @Test
    void theOrderOfArrivalChangesNoAlert() throws Exception {
        Set<ThrottlingAlert> first = null;
        for (long seed = 0; seed < 4; seed++) {
            close();
            open();
            List<List<Arrival>> sources = new ArrayList<>();
            for (String host : List.of("host-1", "host-2")) {
                List<Arrival> said = new ArrayList<>();
                for (int minute = 0; minute < 5; minute++) {
                    long window = START_MS + minute * 60_000L;
                    said.add(() -> host(host, window, window + 12_000, 2_000));
                }
                sources.add(said);
            }
            List<Arrival> shards = new ArrayList<>();
            for (int minute = 0; minute < 5; minute++) {
                long window = START_MS + minute * 60_000L;
                shards.add(() -> shard(window, window + 12_000));
            }
            for (Arrival each : Interleaved.of(seed, sources.get(0), sources.get(1), shards)) {
                each.read();
            }
            clock(START_MS + 2 * DAY_MS);
            Set<ThrottlingAlert> told = Set.copyOf(alerts());
            assertThat(told).hasSize(alerts().size()).hasSizeGreaterThan(4);
            first = first == null ? told : first;
            assertThat(told).isEqualTo(first);
        }
    }

    private interface Arrival {
        void read() throws Exception;
    }

    @Test
    void hostsDoNotDisturbEachOther() throws Exception {
        host("host-1", START_MS, START_MS + 10_000, 10);
        for (int second = 10; second <= 300; second += 10) {
            host("host-2", START_MS + second * 1_000L - 10_000, START_MS + second * 1_000L, 10);
        }
        clock(START_MS + 300_000);
        assertThat(silences())
                .extracting(each -> each.subject().hostId().orElseThrow())
                .containsExactly("host-1");
    }

    @Test
    void aForgottenHostEndsItsAlertsAndLeavesNoState() throws Exception {
        host("host-1", START_MS, START_MS + 10_000, 10);
        shard(START_MS, START_MS + 10_000);
        clock(START_MS + 10_000 + DAY_MS - 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(START_MS + 10_000 + DAY_MS);
        assertThat(silences().get(silences().size() - 1).state()).isEqualTo(State.RESOLVED);
        assertThat(silences().get(silences().size() - 1).value()).isEmpty();
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void aLivingHostHasFewTimers() throws Exception {
        for (int second = 10; second <= 3_600; second += 10) {
            host("host-1", START_MS + second * 1_000L - 10_000, START_MS + second * 1_000L, 10);
            clock(START_MS + second * 1_000L);
        }
        assertThat(operator.numEventTimeTimers()).isLessThanOrEqualTo(4);
        assertThat(alerts()).isEmpty();
    }

    @Test
    void continuesFromASnapshotAsIfNothingHadHappened() throws Exception {
        for (int minute = 0; minute < 2; minute++) {
            long window = START_MS + minute * 60_000;
            host("host-1", window, window + 12_000, 2_000);
            shard(window, window + 12_000);
        }
        clock(START_MS + 60_000 + 12_000);
        OperatorSubtaskState snapshot = operator.snapshot(1, START_MS);
        operator.close();
        operator = harness();
        operator.setup();
        operator.initializeState(snapshot);
        operator.open();
        host("host-1", START_MS + 120_000, START_MS + 132_000, 2_000);
        clock(START_MS + 210_000);
        assertThat(alerts()).extracting(ThrottlingAlert::kind).contains(AlertKind.HOST_THREADS);
        assertThat(alerts().get(0).sinceUs()).isEqualTo(START_MS * 1000);
    }
}
