package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.whatif.Trust;
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
                OptionalDouble.empty(),
                usd,
                OptionalDouble.of(1.5),
                0.7,
                effortDays,
                Trust.Verdict.SOUND,
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

    private static TuningWorth worth(
            Optional<TuningOffer.Savings> savings, Optional<TuningOffer.Risk> risk) {
        return TuningWorth.of(stake(TuningVerdict.THROTTLED, 3, false), savings, risk, 100);
    }

    private static TuningStake stake(TuningVerdict verdict, double cores, boolean kernel) {
        return new TuningStake(verdict, cores, 10, kernel);
    }

    private static final Optional<Interval> CORES = Optional.of(new Interval(4, 6, 9));
    private static final Optional<Interval> USD = Optional.of(new Interval(800, 1_200, 1_800));

    @Example
    void worthIsExpectedDollarsForADayOfWork() {
        TuningWorth worth = worth(Optional.of(savings(3, CORES, USD)), Optional.of(risk(1.2)));
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
                worth(Optional.of(savings(3, CORES, Optional.empty())), Optional.empty());
        assertThat(worth.usdPerYearPerEffortDay()).isEmpty();
        assertThat(worth.priority().orElseThrow().effortDays()).isEqualTo(3);
        assertThat(worth.priority().orElseThrow().riskRemoved()).isEmpty();
        assertThat(worth.reasons()).contains("no price for its class, so its value is not known");
    }

    @Example
    void whatIsMissingIsSaid() {
        assertThat(worth(Optional.empty(), Optional.empty()).reasons())
                .containsExactly(
                        "no savings estimate yet: what tuning is worth is not known",
                        "ranked by a stand-in: 3.00 cores idle while it is throttled, as if smaller thread pools freed them in 3.0 days");
        assertThat(worth(Optional.of(savings(0, CORES, USD)), Optional.empty()).reasons())
                .startsWith("no change is known that is worth making");
        TuningWorth unknown =
                worth(Optional.of(savings(3, Optional.empty(), USD)), Optional.of(risk(2)));
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
        return worth(Optional.of(savings(3, CORES, USD)), Optional.of(risk(multiple)))
                .priority()
                .orElseThrow()
                .riskRemoved()
                .orElseThrow();
    }

    @Example
    void theOrderCountsWhatIsSavedAndTheReservationThatIsTakenOutOfDanger() {
        TuningWorth worth = worth(Optional.of(savings(3, CORES, USD)), Optional.of(risk(1.2)));
        double removed = worth.priority().orElseThrow().riskRemoved().orElseThrow();
        // 10 reserved cores at 1200 / 6 dollars each.
        assertThat(worth.order().perDay())
                .isCloseTo(0.7 * (1_200 + removed * 2_000) / 3, within(1e-9));
    }

    @Example
    void coresWithoutAPriceCountAtTheStandInPrice() {
        TuningWorth worth =
                worth(Optional.of(savings(3, CORES, Optional.empty())), Optional.empty());
        assertThat(worth.order().perDay()).isCloseTo(0.7 * 6 * 100 / 3, within(1e-9));
    }

    @Example
    void doubtCountsHalfAndWhatNobodyShouldActOnNothing() {
        assertThat(trusted(Trust.Verdict.DOUBTFUL).order().perDay()).isCloseTo(140, within(1e-9));
        assertThat(trusted(Trust.Verdict.DOUBTFUL).reasons())
                .contains("the estimate is doubtful: it counts 50 of 100 in the order");
        assertThat(trusted(Trust.Verdict.UNUSABLE).order().perDay()).isZero();
    }

    private static TuningWorth trusted(Trust.Verdict trust) {
        return with(savings(3, CORES, USD), OptionalDouble.empty(), trust);
    }

    /** 484 of 545 cores go, 400 of them at once: the pools beside it do not delay that. */
    @Example
    void aSmallerReservationDoesNotWaitForTheFixesBesideIt() {
        TuningOffer.Savings whole =
                savings(
                        8,
                        Optional.of(new Interval(440, 484, 500)),
                        Optional.of(new Interval(44_000, 48_400, 50_000)));
        assertThat(with(whole, OptionalDouble.of(400), Trust.Verdict.SOUND).order().perDay())
                .isCloseTo(0.9 * 40_000 / 0.5, within(1e-6));
        assertThat(with(whole, OptionalDouble.of(400), Trust.Verdict.SOUND).reasons().get(0))
                .startsWith("400.0 cores are free at once, without any fix");
        assertThat(with(whole, OptionalDouble.of(1), Trust.Verdict.SOUND).order().perDay())
                .isCloseTo(0.7 * 48_400 / 8, within(1e-6));
    }

    private static TuningWorth with(
            TuningOffer.Savings sound, OptionalDouble rightSizing, Trust.Verdict trust) {
        return worth(
                Optional.of(
                        new TuningOffer.Savings(
                                sound.analysedAtUs(),
                                true,
                                sound.fixSet(),
                                sound.settingText(),
                                sound.cores(),
                                rightSizing,
                                sound.usdPerYear(),
                                sound.gain(),
                                sound.successProbability(),
                                sound.effortDays(),
                                trust,
                                sound.doubts())),
                Optional.empty());
    }

    @Example
    void aVictimOfItsKernelIsNotPutForward() {
        TuningWorth worth =
                TuningWorth.of(
                        stake(TuningVerdict.THROTTLED, 0, true),
                        Optional.of(savings(3, CORES, USD)),
                        Optional.of(risk(1.2)),
                        100);
        assertThat(worth.order().perDay()).isZero();
        assertThat(worth.priority()).isEmpty();
        assertThat(worth.reasons().get(0)).contains("mend the kernel");
    }

    @Example
    void beforeTheFirstEstimateTheIdleReservationStandsIn() {
        TuningWorth idle =
                TuningWorth.of(
                        stake(TuningVerdict.GIVE_BACK, 6, false),
                        Optional.empty(),
                        Optional.empty(),
                        100);
        assertThat(idle.order().perDay()).isCloseTo(0.9 * 0.5 * 600 / 0.5, within(1e-9));
        assertThat(idle.reasons().get(1)).contains("6.00 cores more than its peaks need");
        TuningWorth sound =
                TuningWorth.of(
                        stake(TuningVerdict.HEALTHY, 0, false),
                        Optional.empty(),
                        Optional.empty(),
                        100);
        assertThat(sound.order().perDay()).isZero();
    }
}
