package io.quotascope.jobs.io.parts;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.revised;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.jobs.throttling.ThrottlingFunction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Parts, repetitions, revisions, catalog and the end of state, seen through the function of the
 * throttling job.
 */
class JudgingFunctionTest {
    private static final long END_MS = MINUTE_US / 1000 + 60_000;
    private static final long ON_TIME_MS = END_MS + 31_000;

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, ThrottlingSummary>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, ThrottlingSummary>
            harness() throws Exception {
        ThrottlingFunction<ThrottlingSummary> function =
                new ThrottlingFunction<>(JudgingInput.STATE, judged -> judged, 1);
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(function, List.of(JudgingInput.STATE.catalog())),
                each -> KeyText.of(each.sums().key()),
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

    private ThrottlingSummary read(ServiceWindow row, long appendMs) throws Exception {
        operator.processElement1(row, appendMs);
        List<ThrottlingSummary> judged = operator.extractOutputValues();
        operator.getOutput().clear();
        assertThat(judged).hasSizeLessThanOrEqualTo(1);
        return judged.isEmpty() ? null : judged.get(0);
    }

    private static ServiceCatalogEntry entry(
            String cluster, String service, long version, boolean deleted) {
        return new ServiceCatalogEntry(
                cluster,
                service,
                version,
                Optional.of("payments"),
                Optional.empty(),
                OptionalLong.of(1_500),
                Optional.empty(),
                new ClientPolicy(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                deleted);
    }

    @Test
    void everyPartIsJudgedTogetherWithThoseBeforeIt() throws Exception {
        assertThat(read(row(0, 0, 6, r -> {}), ON_TIME_MS).merged().reporting().records())
                .isEqualTo(6);
        ThrottlingSummary second = read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 3_600_000);
        assertThat(second.merged().reporting().records()).isEqualTo(10);
        assertThat(second.scope().part()).isEqualTo(1_963_600);
    }

    @Test
    void repetitionsAreNotJudgedAgain() throws Exception {
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 3_600_000);
        assertThat(read(row(0, 0, 6, r -> {}), ON_TIME_MS + 3_600_001)).isNull();
        assertThat(read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 3_600_002)).isNull();
    }

    @Test
    void aGreaterRevisionBeginsAnewAndASmallerOneIsARepetition() throws Exception {
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        ThrottlingSummary anew = read(revised(row(0, 0, 5, r -> {}), 2), ON_TIME_MS + 1);
        assertThat(anew.merged().reporting().records()).isEqualTo(5);
        assertThat(anew.scope().version()).isEqualTo(2L << 32);
        assertThat(read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 2)).isNull();
    }

    @Test
    void theEntryInForceGivesTeamReservationAndVersion() throws Exception {
        ThrottlingSummary without = read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        assertThat(without.scope().catalogVersion()).isZero();
        assertThat(without.scope().reservedCores()).hasValue(0.2);
        operator.processElement2(entry("lab", "checkout", 4, false), 0);
        operator.processElement2(entry("lab", "checkout", 3, false), 0);
        ThrottlingSummary with = read(row(1, 0, 6, r -> {}), ON_TIME_MS + 60_000);
        assertThat(with.scope().version()).isEqualTo((1L << 32) + 4);
        assertThat(with.scope().team()).contains("payments");
        assertThat(with.scope().reservedCores()).hasValue(1.5);
        operator.processElement2(entry("lab", "checkout", 5, true), 0);
        assertThat(read(row(2, 0, 6, r -> {}), ON_TIME_MS + 120_000).scope().catalogVersion())
                .isZero();
    }

    @Test
    void anEntryOfAnotherClusterIsNotTakenForOursBecauseOfASlash() throws Exception {
        operator.processElement2(entry("lab", "a/b", 9, false), 0);
        ThrottlingSummary judged =
                read(
                        row(
                                0,
                                0,
                                1,
                                r -> {
                                    r.cluster = "lab/a";
                                    r.service = "b";
                                }),
                        ON_TIME_MS);
        assertThat(judged.scope().catalogVersion()).isZero();
    }

    @Test
    void stateOfASilentServiceEndsWhenTheRollupCannotLieFurtherBehind() throws Exception {
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 3_600_000);
        long keptMs = 23_400_000 + 900_000 + 60_000 + 2 * 86_400_000L;
        operator.processBothWatermarks(new Watermark(ON_TIME_MS + 3_600_000 + keptMs - 1));
        assertThat(operator.numKeyedStateEntries()).isPositive();
        // Looks at what waits are taken together to the hour.
        operator.processBothWatermarks(new Watermark(ON_TIME_MS + 2 * 3_600_000 + keptMs));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void stateEndsWhenTheRowsOfTheServiceSayThatNoPartCanBeOnItsWay() throws Exception {
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        int later = (23_400_000 + 900_000) / 60_000;
        long laterMs = ON_TIME_MS + later * 60_000L;
        read(row(later - 1, 0, 6, r -> {}), laterMs - 60_000);
        operator.processBothWatermarks(new Watermark(laterMs + 60_000));
        assertThat(read(row(0, 0, 6, r -> {}), laterMs + 60_001)).as("still known").isNull();
        read(row(later, 0, 6, r -> {}), laterMs + 70_000);
        operator.processBothWatermarks(new Watermark(laterMs + 70_000 + 24_360_000));
        assertThat(read(row(0, 0, 6, r -> {}), laterMs + 24_500_000)).as("over").isNotNull();
    }

    /** A rollup that stood for a day has the part in its log that the minute was waiting for. */
    @Test
    void aPartFindsItsMinuteHoweverFarTheRollupLiesBehind() throws Exception {
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        long dayLaterMs = ON_TIME_MS + 86_400_000;
        operator.processBothWatermarks(new Watermark(dayLaterMs - 1));
        assertThat(read(row(0, 1_963_600, 4, r -> {}), dayLaterMs).merged().reporting().records())
                .isEqualTo(10);
    }

    @Test
    void anOldMinuteThatIsReadAgainLaterIsKeptFromThenOn() throws Exception {
        long dayLaterMs = ON_TIME_MS + 86_400_000;
        read(row(0, 0, 6, r -> {}), dayLaterMs);
        operator.processBothWatermarks(new Watermark(dayLaterMs + 1));
        assertThat(
                        read(row(0, 1_963_600, 4, r -> {}), dayLaterMs + 2)
                                .merged()
                                .reporting()
                                .records())
                .isEqualTo(10);
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        operator.processElement2(entry("lab", "checkout", 4, false), 0);
        read(row(0, 0, 6, r -> {}), ON_TIME_MS);
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        assertThat(read(row(0, 0, 6, r -> {}), ON_TIME_MS)).isNull();
        ThrottlingSummary judged = read(row(0, 1_963_600, 4, r -> {}), ON_TIME_MS + 3_600_000);
        assertThat(judged.merged().reporting().records()).isEqualTo(10);
        assertThat(judged.scope().catalogVersion()).isEqualTo(4);
    }
}
