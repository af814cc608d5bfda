package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
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

    /** 28,000 x 0.7 / 3 = 6,533 a day of work; 9,000 x 0.9 / 0.5 = 16,200. */
    @Example
    void cheapWorkWithAFairReturnComesFirst() {
        TuningPriority pools = of(28_000, 0.7, 3, 0.1);
        TuningPriority burst = of(9_000, 0.9, 0.5, 0);
        assertThat(pools.usdPerDay()).isCloseTo(6_533.33, within(0.01));
        assertThat(Stream.of(pools, burst).sorted(TuningPriority.MOST_WORTHWHILE_FIRST))
                .containsExactly(burst, pools);
    }

    @Example
    void riskPartsServicesOfLikeWorth() {
        TuningPriority calm = of(1_000, 0.5, 1, 0.01);
        TuningPriority near = of(1_000, 0.5, 1, 0.4);
        assertThat(Stream.of(calm, near).sorted(TuningPriority.MOST_WORTHWHILE_FIRST))
                .containsExactly(near, calm);
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
    void partsOutsideTheirRangeAreRefused() {
        assertThatThrownBy(
                        () ->
                                new TuningPriority(
                                        5, 6, 7, 0.5, 1, OptionalDouble.empty(), List.of()))
                .hasMessageContaining("interval");
        assertThatThrownBy(() -> of(1, 0.5, 0, 0)).hasMessageContaining("effort");
    }
}
