package io.quotascope.jobs.alerts;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.alert.ThrottlingAlert.State;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.jobs.fixture.Bytes;
import io.quotascope.jobs.fixture.Interleaved;
import io.quotascope.jobs.io.alerts.AlertBookForm;
import io.quotascope.jobs.io.alerts.AlertForm;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceAlertsFunctionTest {
    private static final long HOUR_MS = 3_600_000;

    private KeyedTwoInputStreamOperatorTestHarness<String, ServiceReadings, Long, ThrottlingAlert>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceReadings, Long, ThrottlingAlert>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new ServiceAlertsFunction(
                                new ByteFormType<>(new AlertBookForm()),
                                AlertsTopology.READINGS,
                                () -> AlertRules.DEFAULT,
                                HOUR_MS),
                        List.of(RowsTold.descriptor())),
                readings -> readings.subject().service().orElseThrow(),
                null,
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

    private static long appendMs(int minute) {
        return MINUTE_US / 1000 + minute * 60_000L + 91_000;
    }

    private void windows(int minute, long threads) throws Exception {
        ServiceReadings readings =
                ServiceReadings.of(
                        row(minute, 0, 6, r -> r.threads = OptionalLong.of(threads)).sums(),
                        CatalogView.without(1));
        operator.processElement1(
                Bytes.roundTrip(new ServiceReadingsForm(), readings), appendMs(minute));
    }

    private void headroom(int minute, double headroom) throws Exception {
        ServiceReadings of =
                ServiceReadings.of(row(minute, 0, 6, r -> {}).sums(), CatalogView.without(1));
        operator.processElement1(
                new ServiceReadings(
                        of.subject(),
                        of.context(),
                        of.minuteUs(),
                        List.of(AlertReading.of(AlertKind.CLIFF_NEAR, headroom, List.of("near")))),
                appendMs(minute) + 2_000);
    }

    private List<ThrottlingAlert> alerts() {
        return operator.extractOutputValues();
    }

    @Test
    void threadsThatThrottleAreToldWithScopeAndReasons() throws Exception {
        for (int minute = 0; minute < 8; minute++) {
            windows(minute, 16);
        }
        // 16 threads on 0.2 cores, and a tenth of periods throttled, for five minutes
        assertThat(alerts()).hasSize(1);
        ThrottlingAlert alert = alerts().get(0);
        assertThat(alert.kind()).isEqualTo(AlertKind.SHARD_THREADS);
        assertThat(alert.value()).hasValue(80);
        assertThat(alert.subject().quotaClass()).hasValue("200m/100ms");
        assertThat(alert.context().quotaCores()).hasValue(0.2);
        assertThat(alert.context().completeness()).hasValue(1);
        assertThat(alert.windowStartUs()).isEqualTo(MINUTE_US + 4 * 60_000_000L);
        assertThat(alert.reasons().get(1)).contains("10.0 % of periods");
        assertThat(Bytes.roundTrip(new AlertForm(), alert)).isEqualTo(alert);
    }

    @Test
    void manyThreadsWithoutThrottlingAreNobodysBusiness() throws Exception {
        for (int minute = 0; minute < 8; minute++) {
            ServiceReadings readings =
                    ServiceReadings.of(
                            row(minute, 0, 6, r -> r.throttledPeriods = 0).sums(),
                            CatalogView.without(1));
            operator.processElement1(readings, appendMs(minute));
        }
        assertThat(alerts()).isEmpty();
    }

    @Test
    void aNearCliffIsToldInItsSecondMinuteAndOnce() throws Exception {
        for (int minute = 0; minute < 5; minute++) {
            windows(minute, 1);
            headroom(minute, minute < 2 ? 3 : 1.15);
            headroom(minute, 1.15);
        }
        assertThat(alerts())
                .extracting(ThrottlingAlert::windowStartUs)
                .containsExactly(MINUTE_US + 3 * 60_000_000L);
    }

    @Test
    void aServiceAboutToCollapseIsToldInItsFirstMinute() throws Exception {
        for (int minute = 0; minute < 5; minute++) {
            headroom(minute, minute < 2 ? 3 : 1.05);
        }
        assertThat(alerts())
                .extracting(ThrottlingAlert::windowStartUs)
                .containsExactly(MINUTE_US + 2 * 60_000_000L);
    }

    private interface Arrival {
        void read() throws Exception;
    }

    /** Cliffs follow the windows at their own pace; each comes in the order of its minutes. */
    @Test
    void theOrderOfArrivalChangesNoAlert() throws Exception {
        Set<ThrottlingAlert> first = null;
        for (long seed = 0; seed < 4; seed++) {
            close();
            open();
            List<Arrival> ofWindows = new ArrayList<>();
            List<Arrival> ofCliffs = new ArrayList<>();
            for (int minute = 0; minute < 30; minute++) {
                int at = minute;
                ofWindows.add(() -> windows(at, at < 15 ? 16 : 1));
                ofCliffs.add(() -> headroom(at, at < 10 ? 1.15 : 3));
            }
            for (Arrival each : Interleaved.of(seed, ofWindows, ofCliffs)) {
                each.read();
            }
            Set<ThrottlingAlert> told = Set.copyOf(alerts());
            assertThat(told).hasSize(4);
            first = first == null ? told : first;
            assertThat(told).isEqualTo(first);
        }
    }

    @Test
    void kindsDoNotDisturbEachOtherWhateverTheirOrder() throws Exception {
        for (int minute = 0; minute < 8; minute++) {
            headroom(minute, 1.15);
        }
        for (int minute = 0; minute < 8; minute++) {
            windows(minute, 16);
        }
        assertThat(alerts())
                .extracting(ThrottlingAlert::kind)
                .containsExactly(AlertKind.CLIFF_NEAR, AlertKind.SHARD_THREADS);
    }

    /** Rows of other services have come as far as a minute, appended with it or later. */
    private void othersTold(int minute, long appendMs) throws Exception {
        operator.processElement2(RowsTold.stepOf(appendMs(minute)), appendMs);
    }

    private void nearTheCliffFor(int minutes) throws Exception {
        for (int minute = 0; minute < minutes; minute++) {
            windows(minute, 1);
            headroom(minute, 1.15);
            operator.processBothWatermarks(new Watermark(appendMs(minute)));
        }
    }

    @Test
    void aServiceThatOthersHaveLeftBehindIsGoneAndLeavesNoState() throws Exception {
        nearTheCliffFor(30);
        assertThat(operator.numEventTimeTimers()).isEqualTo(1);
        othersTold(80, appendMs(80));
        operator.processBothWatermarks(new Watermark(appendMs(95)));
        assertThat(operator.numKeyedStateEntries()).as("an hour is not over").isPositive();
        othersTold(102, appendMs(102));
        operator.processBothWatermarks(new Watermark(appendMs(125)));
        assertThat(alerts())
                .extracting(ThrottlingAlert::state)
                .containsExactly(State.FIRING, State.RESOLVED);
        assertThat(alerts().get(1).windowStartUs()).isEqualTo(MINUTE_US + 89 * 60_000_000L);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void whileTheRollupStandsNobodyIsGone() throws Exception {
        nearTheCliffFor(30);
        // It stood for seven hours, and then writes the minute that comes next, and all others.
        long behindMs = 7 * HOUR_MS;
        operator.processBothWatermarks(new Watermark(appendMs(30) + behindMs));
        for (int minute = 30; minute < 450; minute++) {
            othersTold(minute, appendMs(30) + behindMs + minute);
            ServiceReadings of =
                    ServiceReadings.of(row(minute, 0, 6, r -> {}).sums(), CatalogView.without(1));
            operator.processElement1(
                    new ServiceReadings(
                            of.subject(),
                            of.context(),
                            of.minuteUs(),
                            List.of(AlertReading.of(AlertKind.CLIFF_NEAR, 1.15, List.of("near")))),
                    appendMs(30) + behindMs + minute);
            operator.processBothWatermarks(new Watermark(appendMs(30) + behindMs + minute));
        }
        assertThat(alerts()).extracting(ThrottlingAlert::state).containsExactly(State.FIRING);
    }

    @Test
    void whoeverComesBackAfterAnHourIsTakenForGoneInBetween() throws Exception {
        nearTheCliffFor(30);
        headroom(90, 1.15);
        headroom(91, 1.15);
        assertThat(alerts())
                .extracting(ThrottlingAlert::state)
                .containsExactly(State.FIRING, State.RESOLVED, State.FIRING);
        assertThat(alerts().get(1).windowStartUs()).isEqualTo(MINUTE_US + 89 * 60_000_000L);
    }

    @Test
    void aServiceOfAFleetThatSaysNothingIsWaitedForForTwoDays() throws Exception {
        nearTheCliffFor(30);
        operator.processBothWatermarks(new Watermark(appendMs(29) + 48 * HOUR_MS));
        assertThat(operator.numKeyedStateEntries()).isPositive();
        operator.processBothWatermarks(new Watermark(appendMs(29) + 50 * HOUR_MS));
        assertThat(alerts()).hasSize(2);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void continuesFromASnapshotWithoutTellingAgain() throws Exception {
        windows(0, 1);
        headroom(0, 1.15);
        headroom(1, 1.15);
        OperatorSubtaskState snapshot = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.setup();
        operator.initializeState(snapshot);
        operator.open();
        headroom(1, 1.15);
        headroom(2, 1.15);
        for (int minute = 3; minute < 13; minute++) {
            headroom(minute, 5);
        }
        assertThat(alerts()).extracting(ThrottlingAlert::state).containsExactly(State.RESOLVED);
        assertThat(alerts().get(0).sinceUs()).isEqualTo(MINUTE_US);
    }
}
