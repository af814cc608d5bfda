package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.EarlyWarning.Minute;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class DeathSpiralRiskTest {
    private static final long HOUR_US = 3_600_000_000L;

    private static Cliff cliffAt(double multiple) {
        double reach = StudentT.quantile95(2.5) * 0.12;
        Multiple collapse =
                new Multiple(
                        multiple,
                        multiple * StrictMath.exp(-reach),
                        multiple * StrictMath.exp(reach),
                        false);
        return new Cliff(collapse, collapse, RiskBand.of(multiple, multiple), false, List.of());
    }

    private static double risk(double multiple, double growth, double deviation) {
        return DeathSpiralRisk.of(
                        cliffAt(multiple),
                        new LoadForecast(growth, deviation, HOUR_US),
                        RiskPolicy.DEFAULT)
                .probability()
                .orElseThrow();
    }

    /** Tables of Student's distribution: 2 degrees 0.95 at 2.919986, 3 degrees at 2.353363. */
    @Example
    void quantilesAreThoseOfTheTables() {
        assertThat(StudentT.quantile95(2)).isCloseTo(2.919986, within(1e-5));
        assertThat(StudentT.quantile95(3)).isCloseTo(2.353363, within(1e-5));
        assertThat(StudentT.quantile95(2.5)).isBetween(2.353363, 2.919986);
        assertThat(StudentT.cumulative(0, 2.5)).isEqualTo(0.5);
        // Two degrees have a closed form: 1/2 + t / (2 sqrt(2 + t^2)).
        assertThat(StudentT.cumulative(-1.7, 2))
                .isCloseTo(0.5 - 1.7 / (2 * Math.sqrt(2 + 1.7 * 1.7)), within(1e-7));
    }

    @Example
    void loadALittleBelowTheCliffIsAnEvenChance() {
        double nearer = StrictMath.exp(-CliffCalibration.FITTED.nearness());
        assertThat(risk(1.5, 1.5 * nearer, 0.1)).isCloseTo(0.5, within(1e-9));
        assertThat(risk(1.5, 1.5, 0.1)).isBetween(0.5, 0.75);
    }

    @Property(tries = 200)
    void riskRisesWithLoadAndFallsWithHeadroom(
            @ForAll @DoubleRange(min = 0.5, max = 8) double multiple,
            @ForAll @DoubleRange(min = 0.5, max = 3) double growth,
            @ForAll @DoubleRange(min = 1.01, max = 2) double more) {
        assertThat(risk(multiple, growth * more, 0.1)).isGreaterThan(risk(multiple, growth, 0.1));
        assertThat(risk(multiple * more, growth, 0.1)).isLessThan(risk(multiple, growth, 0.1));
        assertThat(risk(multiple, growth, 0.1)).isBetween(0.0, 1.0);
    }

    @Example
    void theAlertPathRescalesTheLastCliff() {
        Multiple collapse = new Multiple(2, 1.6, 2.5, false);
        Minute then = new Minute(1, 0.02, 1);
        // Load grew by 72 %: 2 / 1.72 = 1.16 is below the least headroom.
        EarlyWarning grown =
                EarlyWarning.judge(
                        collapse, then, new Minute(1.72, 0.03, 1), EarlyWarning.Rule.DEFAULT);
        assertThat(grown.alarm()).isTrue();
        assertThat(grown.recompute()).isTrue();
        assertThat(grown.headroom()).isCloseTo(2 / 1.72, within(1e-12));
        assertThat(grown.reasons())
                .containsExactly("collapse is expected at 1.16 times this minute's load");
        // Nothing moved: 5 % of load, 1 point, 1 period.
        EarlyWarning calm =
                EarlyWarning.judge(
                        collapse, then, new Minute(1.05, 0.03, 2), EarlyWarning.Rule.DEFAULT);
        assertThat(calm.alarm()).isFalse();
        assertThat(calm.recompute()).isFalse();
        // Same load, but 30 % throttled and runs of 9 periods.
        EarlyWarning throttled =
                EarlyWarning.judge(
                        collapse, then, new Minute(1, 0.30, 9), EarlyWarning.Rule.DEFAULT);
        assertThat(throttled.alarm()).isTrue();
        assertThat(throttled.recompute()).isTrue();
        assertThatThrownBy(
                        () ->
                                EarlyWarning.judge(
                                        collapse,
                                        new Minute(0, 0, 0),
                                        then,
                                        EarlyWarning.Rule.DEFAULT))
                .hasMessageContaining("without load");
    }
}
