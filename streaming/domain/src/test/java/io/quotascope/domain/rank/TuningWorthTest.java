package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.rank.TuningOffer.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class TuningWorthTest {
    private static TuningOffer.Savings savings(
            double effortDays, Optional<Interval> cores, Optional<Interval> usd) {
        return new TuningOffer.Savings(
                600_000_000L,
                true,
                "thread pools",
                Optional.of("pool.size=8"),
                cores,
                usd,
                OptionalDouble.of(1.5),
                0.7,
                effortDays,
                List.of("the cost of concurrency is assumed"));
    }

    private static TuningOffer.Risk risk(double multiple) {
        return new TuningOffer.Risk(
                540_000_000L,
                "vulnerable",
                OptionalDouble.of(0.4),
                Optional.of(new Interval(multiple * 0.7, multiple, multiple * 1.3)),
                OptionalDouble.of(1.1),
                OptionalDouble.of(0.1),
                3_600_000_000L);
    }

    private static final Optional<Interval> CORES = Optional.of(new Interval(4, 6, 9));
    private static final Optional<Interval> USD = Optional.of(new Interval(800, 1_200, 1_800));

    @Example
    void worthIsExpectedDollarsForADayOfWork() {
        TuningWorth worth =
                TuningWorth.of(Optional.of(savings(3, CORES, USD)), Optional.of(risk(1.2)));
        // 1200 x 0.7 / 3
        assertThat(worth.usdPerYearPerEffortDay().orElseThrow()).isCloseTo(280, within(1e-9));
        assertThat(worth.priority().orElseThrow().riskRemoved().orElseThrow())
                .isGreaterThan(0.1)
                .isLessThan(0.5);
        assertThat(worth.reasons().get(0)).isEqualTo("thread pools frees 6.0 cores (4.0 to 9.0)");
        assertThat(worth.reasons()).contains("the cost of concurrency is assumed");
    }

    @Example
    void withoutAPriceTheWorkAndTheRiskAreStillStated() {
        TuningWorth worth =
                TuningWorth.of(Optional.of(savings(3, CORES, Optional.empty())), Optional.empty());
        assertThat(worth.usdPerYearPerEffortDay()).isEmpty();
        assertThat(worth.priority().orElseThrow().effortDays()).isEqualTo(3);
        assertThat(worth.priority().orElseThrow().riskRemoved()).isEmpty();
        assertThat(worth.reasons()).contains("no price for its class, so its value is not known");
    }

    @Example
    void whatIsMissingIsSaid() {
        assertThat(TuningWorth.of(Optional.empty(), Optional.empty()).reasons())
                .containsExactly("no savings estimate yet: what tuning is worth is not known");
        assertThat(TuningWorth.of(Optional.of(savings(0, CORES, USD)), Optional.empty()).reasons())
                .startsWith("no change is known that frees cores");
        TuningWorth unknown =
                TuningWorth.of(
                        Optional.of(savings(3, Optional.empty(), USD)), Optional.of(risk(2)));
        assertThat(unknown.reasons()).startsWith("the cores that a change frees are not known");
        assertThat(unknown.priority()).isEmpty();
    }

    @Example
    void theFartherTheCliffTheLessRiskThereIsToRemove() {
        double near = removed(1.2);
        double far = removed(6);
        assertThat(near).isGreaterThan(far);
        assertThat(far).isNotNegative();
    }

    private static double removed(double multiple) {
        return TuningWorth.of(Optional.of(savings(3, CORES, USD)), Optional.of(risk(multiple)))
                .priority()
                .orElseThrow()
                .riskRemoved()
                .orElseThrow();
    }
}
