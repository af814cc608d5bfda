package io.quotascope.jobs.rank;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningVerdict;
import io.quotascope.domain.window.ServiceWindow;
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
    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, TuningRank>
            operator;

    @BeforeEach
    void open() throws Exception {
        RankFunction<TuningRank> function =
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
        operator.processElement1(row, row.sums().windowStartUs() / 1000 + 91_000);
        List<TuningRank> judged = operator.extractOutputValues();
        return judged.get(judged.size() - 1);
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

    @Test
    void leavesNoState() throws Exception {
        read(row(0, 0, 6, r -> {}));
        long lastRowMs = MINUTE_US / 1000 + 91_000;
        long keptMs = 23_400_000 + 900_000 + 60_000 + 10 * 60_000;
        operator.processBothWatermarks(new Watermark(lastRowMs + keptMs - 1));
        assertThat(operator.numKeyedStateEntries()).isPositive();
        operator.processBothWatermarks(new Watermark(lastRowMs + keptMs));
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
