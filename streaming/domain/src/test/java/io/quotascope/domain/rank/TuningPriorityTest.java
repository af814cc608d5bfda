package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class TuningPriorityTest {
    private static TuningPriority of(double usd, double probability, double days, double risk) {
        return TuningPriority.of(
                "smaller pools",
                new double[] {1, 2, 3},
                Optional.of(new double[] {usd / 2, usd, usd * 2}),
                probability,
                days,
                OptionalDouble.of(risk));
    }

    @Example
    void reasonsStateEveryPart() {
        assertThat(of(28_000, 0.7, 3, 0.12).reasons())
                .containsExactly(
                        "smaller pools frees 2.0 cores (1.0 to 3.0)",
                        "worth 28,000 dollars a year (14,000 to 56,000)",
                        "about 3.0 days of work, made and kept in 70 of 100 cases",
                        "takes 12 points off the death-spiral risk");
        TuningPriority unpriced =
                TuningPriority.of(
                        "burst",
                        new double[] {1, 2, 3},
                        Optional.empty(),
                        0.9,
                        0.5,
                        OptionalDouble.empty());
        assertThat(unpriced.usdPerDay()).isZero();
        assertThat(unpriced.reasons())
                .contains("no price for its class, so its value is not known");
    }

    @Example
    void aChangeThatNeedsMoreCoresSaysSo() {
        TuningPriority dearer =
                TuningPriority.of(
                        "quota",
                        new double[] {-3, -2, -1},
                        Optional.of(new double[] {-300, -200, -100}),
                        0.9,
                        0.5,
                        OptionalDouble.empty());
        assertThat(dearer.reasons())
                .startsWith(
                        "quota needs 2.0 more cores (1.0 to 3.0)",
                        "costs 200 dollars a year (100 to 300)");
    }

    @Example
    void aBoundIsNotSaidToHaveAnInterval() {
        TuningPriority bound =
                TuningPriority.of(
                        "thread pools",
                        new double[] {-2, -2, -2},
                        Optional.of(new double[] {-200, -200, -200}),
                        0.9,
                        0.5,
                        OptionalDouble.empty());
        assertThat(bound.reasons())
                .startsWith(
                        "thread pools needs 2.0 more cores, a bound without an interval",
                        "costs 200 dollars a year, a bound without an interval");
    }

    @Example
    void partsOutsideTheirRangeAreRefused() {
        assertThatThrownBy(
                        () ->
                                new TuningPriority(
                                        5, 6, 7, 0.5, 1, OptionalDouble.empty(), List.of()))
                .hasMessageContaining("interval");
        assertThatThrownBy(() -> of(1, 0.5, 0, 0)).hasMessageContaining("effort");
    }
}
