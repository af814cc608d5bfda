package io.quotascope.domain.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.advice.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** What holds of every recommended change. */
class AdvisorLawsTest {
    private static final int TRIES = 60;

    private static Advised service(long seed, int shards, double quota, double headroom) {
        Random random = new Random(seed);
        double[] slots = new double[3_000];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = random.nextInt(10) == 0 ? quota * 3 * random.nextDouble() : quota * 0.1;
        }
        DemandSeries demand = DemandSeries.of(slots, DemandSeries.Provenance.RECORDED);
        return Advised.of(demand, shards, quota, headroom)
                .with(
                        after ->
                                OptionalDouble.of(
                                        after.allowance().sustainedCores()
                                                / after.demand().meanCores()
                                                / 2));
    }

    private static List<FixSet> sets(Advised service, double gain) {
        return new ArrayList<>(
                List.of(
                        service.set(gain, 0),
                        service.set(Math.sqrt(gain), 1),
                        service.set(gain, 2),
                        service.set(gain * 1.1, 0, 1)));
    }

    @Property(tries = TRIES)
    void neverBelowTheFloorAndNeverMoreThanNeedAndGainAllow(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 30) int shards,
            @ForAll @DoubleRange(min = 0.2, max = 12) double quota,
            @ForAll @DoubleRange(min = 0.5, max = 20) double headroom,
            @ForAll @DoubleRange(min = 0.8, max = 3) double gain) {
        Advised advised = service(seed, shards, quota, headroom);
        Decision decision = advised.decide(sets(advised, gain));
        Service has = decision.service();
        for (Candidate candidate : decision.candidates()) {
            if (candidate.reached()) {
                assertThat(candidate.cores()).isGreaterThanOrEqualTo(has.floorCores() - 1e-3);
                double joint = has.needCores() / Service.gain(candidate.fixes());
                // Whole CPUs: the gain is that of so many CPUs as the quota comes to.
                double each = has.wholeCpus() / has.quotaCores();
                assertThat(candidate.cores())
                        .isGreaterThanOrEqualTo(
                                candidate.setting().wholeCpus()
                                        ? joint * each - 1e-6
                                        : joint * (1 - 1e-4) - 1e-3);
            }
            Freed freed = Freed.of(decision, candidate, headroom * 0.8, headroom * 1.25);
            for (Freed.Ends ends : List.of(freed.rightSizing(), freed.byFixes())) {
                assertThat(ends.low()).isLessThanOrEqualTo(ends.value());
                assertThat(ends.high()).isGreaterThanOrEqualTo(ends.value());
            }
            if (candidate.reached()) {
                double kept = has.reservedCores() - freed.cores();
                assertThat(kept).isCloseTo(candidate.cores(), within(1e-6 * has.reservedCores()));
            }
        }
    }

    private static org.assertj.core.data.Offset<Double> within(double much) {
        return org.assertj.core.data.Offset.offset(Math.max(1e-9, much));
    }

    @Property(tries = TRIES)
    void theChosenOneReachesTheTargetByItsOwnReplayOrSaysThatNoneDoes(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.2, max = 12) double quota,
            @ForAll @DoubleRange(min = 0.5, max = 20) double headroom,
            @ForAll @DoubleRange(min = 0.8, max = 3) double gain) {
        Advised advised = service(seed, 4, quota, headroom);
        Decision decision = advised.decide(sets(advised, gain));
        Candidate chosen = decision.chosen();
        if (chosen.reached()) {
            assertThat(chosen.after().throttledPeriodRatio().value()).isLessThanOrEqualTo(0.01);
            assertThat(chosen.headroom().orElseThrow()).isGreaterThanOrEqualTo(1.4);
            assertThat(chosen.after().meanCores())
                    .isLessThan(
                            Math.min(
                                    chosen.setting().cores(),
                                    chosen.setting().poolThreads().orElse(Integer.MAX_VALUE)));
        } else {
            assertThat(decision.candidates()).noneMatch(Candidate::reached);
            assertThat(chosen.changes()).isFalse();
        }
    }

    @Property(tries = TRIES)
    void theOrderOfTheCandidatesDoesNotMatter(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.2, max = 12) double quota,
            @ForAll @DoubleRange(min = 0.5, max = 20) double headroom,
            @ForAll @DoubleRange(min = 0.8, max = 3) double gain) {
        Advised advised = service(seed, 4, quota, headroom);
        List<FixSet> sets = sets(advised, gain);
        Candidate chosen = advised.decide(sets).chosen();
        Collections.shuffle(sets, new Random(seed));
        assertThat(advised.decide(sets).chosen()).isEqualTo(chosen);
    }

    /** Without burst, where a larger quota never throttles more. */
    @Property(tries = TRIES)
    void moreHeadroomAskedFreesNoMoreByTheSameFixesAndCostsNoLess(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.2, max = 12) double quota,
            @ForAll @DoubleRange(min = 1.5, max = 20) double headroom,
            @ForAll @DoubleRange(min = 1, max = 2) double more) {
        Advised advised = service(seed, 4, quota, headroom);
        List<FixSet> sets = List.of(advised.set(1.5, 2));
        Decision less = advised.decide(sets);
        Decision asked = advised.keeping(1.4 * more).decide(sets);
        for (int place = 0; place < 2; place++) {
            Candidate before = less.candidates().get(place);
            Candidate after = asked.candidates().get(place);
            if (after.reached()) {
                assertThat(before.reached()).isTrue();
                assertThat(after.cores()).isGreaterThanOrEqualTo(before.cores() * (1 - 1e-9));
            }
        }
    }

    /**
     * What today's setting keeps no change breaks, whether it gives cores back or not; what today
     * breaks already none makes worse. What was refused for it, and only that, is told.
     */
    @Property(tries = TRIES)
    void noRecommendedChangeBreaksTheLatencyObjectiveThatTodayKeeps(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.2, max = 12) double quota,
            @ForAll @DoubleRange(min = 0.5, max = 20) double headroom,
            @ForAll @DoubleRange(min = 0.8, max = 3) double gain,
            @ForAll @IntRange(min = 1, max = 200) int sloMs,
            @ForAll Target.Aim aim) {
        Advised advised = service(seed, 4, quota, headroom);
        LatencyObjective objective = new LatencyObjective(1_000L * sloMs, true);
        Decision decision = advised.decide(sets(advised, gain), aim, objective);
        double nowUs = decision.now().tailDelayUs();
        for (Candidate candidate : decision.candidates()) {
            if (candidate.reached()) {
                assertThat(candidate.after().tailDelayUs())
                        .isLessThanOrEqualTo(Math.max(objective.sloUs(), nowUs));
                assertThat(candidate.after().stall().p99())
                        .isLessThanOrEqualTo(
                                Math.max(objective.sloUs() / 2.0, decision.now().stall().p99()));
            }
        }
        LatencyObjective anything = new LatencyObjective(Long.MAX_VALUE / 4, true);
        Candidate lenient = advised.decide(sets(advised, gain), aim, anything).chosen();
        assertThat(decision.refused())
                .isEqualTo(
                        Optional.of(lenient)
                                .filter(each -> !objective.keptBy(each.after(), decision.now())));
    }
}
