package io.quotascope.jobs.rank;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.revised;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.rank.LatestState;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningVerdict;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.io.options.JobArguments;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.KeyText;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RankFunctionTest {
    private static final long HOUR_MS = 3_600_000;

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, LatestState>
            operator;

    @BeforeEach
    void open() throws Exception {
        RankFunction<LatestState> function =
                new RankFunction<>(
                        JudgingInput.STATE, judged -> judged, 1, () -> RankPolicy.DEFAULT);
        operator =
                new KeyedTwoInputStreamOperatorTestHarness<>(
                        new CoBroadcastWithKeyedOperator<>(
                                function, List.of(JudgingInput.STATE.catalog())),
                        each -> KeyText.of(each.sums().key()),
                        null,
                        Types.STRING);
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private TuningRank read(ServiceWindow row) throws Exception {
        return state(row).rank();
    }

    private LatestState state(ServiceWindow row) throws Exception {
        operator.processElement1(row, row.sums().windowStartUs() / 1000 + 91_000);
        List<LatestState> judged = operator.extractOutputValues();
        return judged.get(judged.size() - 1);
    }

    @Test
    void theLatestStateKnowsTheMinuteTheHourAndTheDay() throws Exception {
        state(row(0, 0, 6, r -> {}));
        LatestState late = state(row(0, 1_963_600, 3, r -> {}));
        assertThat(late.horizons().hour().usedCores()).hasValue(9 * 2 / 60.0);
        LatestState next = state(row(120, 0, 6, r -> r.throttledPeriods = 40));
        assertThat(next.horizons().hour().throttledPeriodRatio()).hasValue(0.4);
        // 9 records with 10 and 6 with 40 of 100 periods throttled.
        assertThat(next.horizons().day().throttledPeriodRatio()).hasValue((90 + 240) / 1500.0);
        assertThat(next.horizons().usedCoresMax()).hasValue(9 * 2 / 60.0);
        assertThat(next.throttling().usedCores().total()).isEqualTo(12 / 60.0);
    }

    @Test
    void theNewestMinuteHasTheGreatestVersionAndItsLatePartsGreaterOnes() throws Exception {
        long late = (MINUTE_US / 1000 + 60_000) / 900_000 + 2;
        long first = state(row(0, 0, 6, r -> {})).version();
        long again = state(row(0, late, 1, r -> {})).version();
        long later = state(row(0, late + 5, 1, r -> {})).version();
        long next = state(row(1, 0, 6, r -> {})).version();
        assertThat(List.of(first, again, later, next)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void repetitionsAreNotAddedToTheHours() throws Exception {
        state(row(0, 0, 6, r -> {}));
        operator.processElement1(row(0, 0, 6, r -> {}), MINUTE_US / 1000 + 95_000);
        assertThat(state(row(1, 0, 6, r -> {})).horizons().day().usedCores()).hasValue(12 / 60.0);
    }

    @Test
    void judgesTheTrailingTenMinutesOfWhatHasArrived() throws Exception {
        for (int minute = 0; minute < 12; minute++) {
            TuningRank rank = read(row(minute, 0, 6, r -> {}));
            assertThat(rank.horizonWindows()).isEqualTo(Math.min(minute + 1, 10));
            assertThat(rank.evidence().samples()).isEqualTo(6_000L * Math.min(minute + 1, 10));
            assertThat(rank.verdict()).isEqualTo(TuningVerdict.THROTTLED);
        }
    }

    @Test
    void aMinuteWithoutRowsIsNotInTheHorizonAndLaterOnesNeverAre() throws Exception {
        read(row(0, 0, 6, r -> {}));
        read(row(5, 0, 6, r -> {}));
        assertThat(read(row(9, 0, 6, r -> {})).horizonWindows()).isEqualTo(3);
        assertThat(read(row(4, 0, 6, r -> {})).horizonWindows()).isEqualTo(2);
    }

    @Test
    void aLatePartCountsInTheHorizonOfEveryRowAfterIt() throws Exception {
        read(row(0, 0, 6, r -> {}));
        assertThat(read(row(1, 0, 6, r -> {})).evidence().samples()).isEqualTo(12_000);
        assertThat(read(row(0, 1_963_600, 6, r -> {})).evidence().samples()).isEqualTo(12_000);
        assertThat(read(row(2, 0, 6, r -> {})).evidence().samples()).isEqualTo(24_000);
    }

    /** When everything is computed anew, a minute that came late comes late again. */
    @Test
    void minutesOfASmallerRevisionAreNotInTheHorizon() throws Exception {
        read(row(0, 0, 6, r -> {}));
        read(row(2, 0, 6, r -> {}));
        read(row(1, 1_963_600, 6, r -> {}));
        assertThat(read(revised(row(0, 0, 6, r -> {}), 2)).horizonWindows()).isEqualTo(1);
        assertThat(read(revised(row(2, 0, 6, r -> {}), 2)).horizonWindows()).isEqualTo(2);
        assertThat(read(revised(row(1, 1_963_600, 6, r -> {}), 2)).horizonWindows()).isEqualTo(2);
        assertThat(read(revised(row(3, 0, 6, r -> {}), 2)).horizonWindows()).isEqualTo(4);
    }

    /**
     * The clock of the topic goes on while the rollup stands; the next minute looks back all the
     * same.
     */
    @Test
    void howeverFarTheRollupLiesBehindTheHorizonIsTheSame() throws Exception {
        for (int minute = 0; minute < 12; minute++) {
            ServiceWindow row = row(minute, 0, 6, r -> {});
            long writtenMs = SimulatedRows.closesMs(row) + minute * 4 * HOUR_MS;
            operator.processBothWatermarks(new Watermark(writtenMs - 1));
            operator.processElement1(row, writtenMs);
        }
        assertThat(operator.extractOutputValues())
                .extracting(state -> state.rank().horizonWindows())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10);
    }

    @Test
    void whatTheRowsOfAServiceLeftBehindEndsWithoutWaiting() throws Exception {
        for (int minute = 0; minute < 500; minute++) {
            ServiceWindow row = row(minute, 0, 1, r -> {});
            operator.processBothWatermarks(new Watermark(SimulatedRows.closesMs(row) + 999));
            operator.processElement1(row, SimulatedRows.closesMs(row) + 1_000);
        }
        // One for each of 416 minutes, for the one at hand, and for the hours.
        assertThat(operator.numEventTimeTimers()).isEqualTo(418);
    }

    @Test
    void leavesNoState() throws Exception {
        read(row(0, 0, 6, r -> {}));
        long lastRowMs = MINUTE_US / 1000 + 91_000;
        long behindMs = 2 * 86_400_000L;
        long minutesKeptMs = 23_400_000 + 900_000 + 60_000 + 10 * 60_000 + behindMs;
        operator.processBothWatermarks(new Watermark(lastRowMs + minutesKeptMs - 1));
        assertThat(operator.numKeyedStateEntries()).isEqualTo(2);
        // Looks at what waits are taken together to the hour.
        operator.processBothWatermarks(new Watermark(lastRowMs + minutesKeptMs + HOUR_MS));
        assertThat(operator.numKeyedStateEntries()).as("hours").isOne();
        long hoursKeptMs = 15 * 86_400_000L;
        operator.processBothWatermarks(new Watermark(lastRowMs + hoursKeptMs - 1));
        assertThat(operator.numKeyedStateEntries()).isOne();
        // Their end is looked for once a day.
        operator.processBothWatermarks(new Watermark(lastRowMs + hoursKeptMs + 24 * HOUR_MS));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void thresholdsAreOptionsAndSenselessOnesAreRefused() {
        assertThat(RankOptions.policy(JobArguments.parse()).make()).isEqualTo(RankPolicy.DEFAULT);
        assertThat(
                        RankOptions.policy(JobArguments.parse("--rank.horizon-minutes", "30"))
                                .make()
                                .horizonMinutes())
                .isEqualTo(30);
        assertThatThrownBy(
                        () ->
                                RankOptions.policy(
                                        JobArguments.parse("--rank.utilization-max", "1.5")))
                .hasMessageContaining("rank.")
                .hasMessageContaining("utilizationMax");
    }
}
