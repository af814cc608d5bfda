package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

/** Laws of the one order of services. */
class ExpectedWorthTest {
    @Provide
    Arbitrary<ExpectedWorth> worths() {
        Arbitrary<Double> share = Arbitraries.doubles().between(0, 1);
        return Combinators.combine(
                        Arbitraries.doubles().between(-1e6, 1e6),
                        Arbitraries.doubles().between(0, 1e6),
                        share,
                        share,
                        share,
                        Arbitraries.doubles().between(0.5, 20))
                .as(
                        (usd, reservation, risk, probability, trust, days) ->
                                new ExpectedWorth(
                                        usd,
                                        reservation,
                                        OptionalDouble.of(risk),
                                        probability,
                                        trust,
                                        days));
    }

    private static ExpectedWorth priced(ExpectedWorth worth, double times) {
        return new ExpectedWorth(
                worth.valueUsdPerYear() * times,
                worth.reservationUsdPerYear() * times,
                worth.riskRemoved(),
                worth.successProbability(),
                worth.trust(),
                worth.effortDays());
    }

    private static int order(ExpectedWorth one, ExpectedWorth other) {
        return Integer.signum(ExpectedWorth.MOST_WORTHWHILE_FIRST.compare(one, other));
    }

    @Property
    void theOrderIsTotal(
            @ForAll("worths") ExpectedWorth a,
            @ForAll("worths") ExpectedWorth b,
            @ForAll("worths") ExpectedWorth c) {
        assertThat(order(a, b)).isEqualTo(-order(b, a));
        if (order(a, b) <= 0 && order(b, c) <= 0) {
            assertThat(order(a, c)).isLessThanOrEqualTo(0);
        }
        assertThat(a.perDay()).isNotNegative().isFinite();
    }

    /** By powers of two, which round nothing. */
    @Property
    void pricesInAnotherCurrencyChangeNoPlace(
            @ForAll("worths") ExpectedWorth a, @ForAll("worths") ExpectedWorth b) {
        for (double times : new double[] {1 / 1024.0, 0.5, 2, 4096}) {
            assertThat(order(priced(a, times), priced(b, times))).isEqualTo(order(a, b));
        }
    }

    @Property
    void moreWorthIsNeverRankedLower(
            @ForAll("worths") ExpectedWorth worth,
            @ForAll @DoubleRange(min = 0, max = 1e6) double more) {
        ExpectedWorth richer =
                new ExpectedWorth(
                        worth.valueUsdPerYear() + more,
                        worth.reservationUsdPerYear(),
                        worth.riskRemoved(),
                        worth.successProbability(),
                        worth.trust(),
                        worth.effortDays());
        assertThat(richer.perDay()).isGreaterThanOrEqualTo(worth.perDay());
    }

    @Property
    void lessWorkMoreCertaintyAndMoreSafetyAreNeverRankedLower(
            @ForAll("worths") ExpectedWorth worth,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        double risk = worth.riskRemoved().orElseThrow();
        assertThat(
                        with(
                                worth,
                                risk,
                                worth.successProbability(),
                                worth.effortDays() * (0.5 + share / 2)))
                .isGreaterThanOrEqualTo(worth.perDay());
        double surer = worth.successProbability() + share * (1 - worth.successProbability());
        assertThat(with(worth, risk, Math.min(1, surer), worth.effortDays()))
                .isGreaterThanOrEqualTo(worth.perDay() * (1 - 1e-12));
        double safer = risk + share * (1 - risk);
        assertThat(with(worth, Math.min(1, safer), worth.successProbability(), worth.effortDays()))
                .isGreaterThanOrEqualTo(worth.perDay() * (1 - 1e-12));
    }

    private static double with(ExpectedWorth worth, double risk, double probability, double days) {
        return new ExpectedWorth(
                        worth.valueUsdPerYear(),
                        worth.reservationUsdPerYear(),
                        OptionalDouble.of(risk),
                        probability,
                        worth.trust(),
                        days)
                .perDay();
    }

    /** 28,000 x 0.7 / 3 = 6,533 a day of work; 9,000 x 0.9 / 0.5 = 16,200. */
    @Example
    void cheapWorkWithAFairReturnComesFirst() {
        ExpectedWorth pools = new ExpectedWorth(28_000, 0, OptionalDouble.empty(), 0.7, 1, 3);
        ExpectedWorth burst = new ExpectedWorth(9_000, 0, OptionalDouble.empty(), 0.9, 1, 0.5);
        assertThat(pools.perDay()).isCloseTo(6_533.33, within(0.01));
        assertThat(order(burst, pools)).isNegative();
    }

    @Example
    void riskPartsServicesOfLikeWorthAndRanksChangesThatCost() {
        ExpectedWorth calm = new ExpectedWorth(1_000, 5_000, OptionalDouble.of(0.01), 0.5, 1, 1);
        ExpectedWorth near = new ExpectedWorth(990, 5_000, OptionalDouble.of(0.4), 0.5, 1, 1);
        assertThat(order(near, calm)).isNegative();
        ExpectedWorth dearer =
                new ExpectedWorth(-2_000, 5_000, OptionalDouble.of(0.4), 0.9, 1, 0.5);
        assertThat(dearer.perDay()).isCloseTo(3_600, within(1e-9));
        assertThat(order(dearer, ExpectedWorth.NOTHING)).isNegative();
    }

    @Example
    void partsOutsideTheirRangeAreRefused() {
        assertThatThrownBy(() -> new ExpectedWorth(1, 1, OptionalDouble.of(1.1), 0.5, 1, 1))
                .hasMessageContaining("risk");
        assertThatThrownBy(() -> new ExpectedWorth(1, 1, OptionalDouble.empty(), 0.5, 1, 0))
                .hasMessageContaining("effort");
    }
}
