package io.quotascope.domain.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.advice.Candidate.DecidedBy;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.advice.HeadroomModel;
import io.quotascope.domain.whatif.advice.Target;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Services whose right advice can be worked out by hand. */
class AdvisorTest {
    private static final int POOLS = 0;
    private static final int BURST = 1;
    private static final int PINNING = 2;

    /** One core for 40 ms in every 100 ms: a period needs 40 ms, whatever the quota. */
    private static final DemandSeries STEADY = Advised.every(10, 4, 1.0);

    /** Six cores for 20 ms in every second: 120 ms in one period of ten. */
    private static final DemandSeries PULSED = Advised.every(100, 2, 6.0);

    /** 20 threads for 10 ms in every 400 ms: 200 ms in one period of four. */
    private static final DemandSeries CROWDED = Advised.every(40, 1, 20.0);

    /**
     * 10 shards of 4 cores, headroom 5.6 where 1.4 is to be kept: a quarter, 10 cores, is needed;
     * the floor is 4 / 0.8 / 0.9 = 5.6. A quota of 1 core bears 40 ms a period.
     */
    @Test
    void anIdleServiceIsCutToItsNeedAndNothingElseIsChanged() {
        Advised idle = Advised.of(STEADY, 10, 4, 5.6);
        Decision decision = idle.decide(List.of(idle.set(1.05, POOLS), idle.set(1.005, BURST)));
        Candidate chosen = decision.chosen();
        assertThat(chosen.fixes()).isEmpty();
        assertThat(chosen.decidedBy()).isEqualTo(DecidedBy.GAIN);
        assertThat(chosen.cores()).isCloseTo(10, within(1e-3));
        assertThat(chosen.effortDays()).isEqualTo(0.5);
        assertThat(chosen.words()).isEqualTo("quota 1.00 cores a shard");
        Freed freed = Freed.of(decision, chosen, 5, 6);
        assertThat(freed.rightSizing().value()).isCloseTo(30, within(1e-3));
        assertThat(freed.rightSizing().low()).isCloseTo(40 - 40 * 1.4 / 5, within(1e-3));
        assertThat(freed.byFixes().value()).isZero();
    }

    /** The same with a headroom of 28 would need 2 cores; the floor keeps 5.6. */
    @Test
    void theFloorDecidesWhereNeedIsBelowIt() {
        Candidate chosen = Advised.of(STEADY, 10, 4, 28).decide(List.of()).chosen();
        assertThat(chosen.decidedBy()).isEqualTo(DecidedBy.FLOOR);
        assertThat(chosen.cores()).isCloseTo(4 / 0.72, within(1e-3));
    }

    /**
     * The gain model would keep 10 cores; a shard collapses below 1.4 times its peak at 3 cores.
     */
    @Test
    void theTargetDecidesWhereTheReplayAsksForMore() {
        HeadroomModel threeCores =
                after -> OptionalDouble.of(after.allowance().sustainedCores() / 3.0 * 1.4);
        Candidate chosen =
                Advised.of(STEADY, 10, 4, 5.6).with(threeCores).decide(List.of()).chosen();
        assertThat(chosen.decidedBy()).isEqualTo(DecidedBy.TARGET);
        assertThat(chosen.setting().cores()).isBetween(3.0, 3.0 * 1.1);
        assertThat(chosen.headroom().orElseThrow()).isGreaterThanOrEqualTo(1.4);
    }

    /**
     * 200 ms of CPU within 10 ms throttle 1.5 cores: without fixes 2 are needed. One thread spreads
     * the same work over two periods, and a quota of little more than a core is never dry.
     */
    @Test
    void aServiceBoundByItsPoolsGetsPools() {
        Advised bound = Advised.of(CROWDED, 10, 1.5, 1.5);
        FixSet pools = bound.set(1.6, POOLS);
        Decision decision =
                bound.decide(
                        List.of(pools), Target.Aim.SAVINGS, new LatencyObjective(250_000, true));
        Candidate plain = decision.withoutFixes();
        assertThat(plain.reached()).isTrue();
        assertThat(plain.cores()).as("more than the 15 it has").isGreaterThan(15);
        assertThat(Freed.of(decision, plain, 1.5, 1.5).rightSizing().value()).isNegative();
        assertThat(decision.chosen().reached()).isTrue();
        assertThat(decision.chosen().cores()).isBetween(10.0, 11.0);
        assertThat(decision.chosen().setting().poolThreads()).hasValue(1);
        assertThat(decision.chosen().fixes().orElseThrow().fixes())
                .extracting(fix -> fix.kind())
                .contains(FixKind.POOLS);
        assertThat(decision.chosen().needs()).anyMatch(need -> need.contains("canary"));
    }

    /**
     * The same where nobody may wait longer than 50 ms: 20 threads of 10 ms, one after another,
     * take 200 ms.
     */
    @Test
    void poolsThatMakeWorkWaitBeyondTheObjectiveAreNotAdvisedAndItIsTold() {
        Advised bound = Advised.of(CROWDED, 10, 2.2, 2.2);
        FixSet pools = bound.set(1.6, POOLS);
        Decision free =
                bound.decide(
                        List.of(pools), Target.Aim.SAVINGS, new LatencyObjective(250_000, true));
        Decision held = bound.decide(List.of(pools));
        assertThat(free.chosen().setting().poolThreads()).isPresent();
        assertThat(free.refused()).isEmpty();
        assertThat(held.now().tailDelayUs()).isLessThanOrEqualTo(50_000);
        assertThat(free.chosen().after().tailDelayUs()).isGreaterThan(50_000);
        assertThat(held.chosen().after().tailDelayUs()).isLessThanOrEqualTo(50_000);
        assertThat(held.refused()).hasValue(free.chosen());
        assertThat(Sentence.words(AdviceWords.of(held, held.chosen(), 0, 0)))
                .anyMatch(
                        words ->
                                words.startsWith("not recommended: quota ")
                                        && words.endsWith("the latency objective of 50 ms"));
    }

    /** 120 ms in one period of ten throttle a quota of 100; burst saves them up. */
    @Test
    void rarePeaksAreMetByBurstAndNotByMoreCores() {
        Advised pulsed = Advised.of(PULSED, 1, 1, 1.4);
        Decision decision = pulsed.decide(List.of(pulsed.set(1.2, BURST)));
        assertThat(decision.now().throttledPeriodRatio().value()).isGreaterThan(0.05);
        assertThat(decision.chosen().fixes()).isPresent();
        assertThat(decision.chosen().setting().quota().burstUs()).isPositive();
        assertThat(decision.chosen().after().throttledPeriodRatio().value())
                .isLessThanOrEqualTo(0.01);
        assertThat(decision.chosen().needs()).anyMatch(need -> need.contains("kernel 5.14"));
    }

    /** Two shards of 0.2 cores: two whole CPUs are five times what they reserve. */
    @Test
    void wholeCpusThatCostMoreThanTheyFreeAreNeverAdvised() {
        DemandSeries small = Advised.every(10, 1, 1.0);
        Advised shards = Advised.of(small, 2, 0.2, 1.5);
        FixSet pinning = shards.set(5, PINNING);
        Decision decision = shards.decide(List.of(pinning));
        Candidate whole = decision.candidates().get(1);
        assertThat(whole.decidedBy()).isEqualTo(DecidedBy.WHOLE_CPUS);
        assertThat(whole.cores()).isEqualTo(2);
        assertThat(Freed.of(decision, whole, 1.5, 1.5).cores()).isCloseTo(-1.6, within(1e-4));
        assertThat(decision.chosen().setting().wholeCpus()).isFalse();
    }

    /**
     * 10 shards of 20 cores of which 140 / 200 are needed; 20 CPUs carry 1.5 times the load: 20 x
     * 0.7 / 1.5 = 9.33, so 10 CPUs a shard, not 9.33: 100 are freed, and not 106.7.
     */
    @Test
    void whatWholeCpusFreeIsWhatIsLeftAfterRoundingUp() {
        Advised large = Advised.of(STEADY, 10, 20, 2);
        Decision decision = large.decide(List.of(large.set(1.5, PINNING)));
        Candidate whole = decision.candidates().get(1);
        assertThat(whole.cores()).isEqualTo(100);
        Freed freed = Freed.of(decision, whole, 2, 2);
        assertThat(freed.rightSizing().value()).isCloseTo(60, within(1e-3));
        assertThat(freed.byFixes().value()).isCloseTo(40, within(1e-3));
    }

    @Test
    void takenAsLatencyTheCoresStay() {
        Advised pulsed = Advised.of(PULSED, 1, 1, 1.4);
        Decision decision =
                pulsed.decide(
                        List.of(pulsed.set(1.2, BURST), pulsed.set(1.1, POOLS)),
                        Target.Aim.LATENCY);
        assertThat(decision.chosen().reached()).isTrue();
        assertThat(decision.chosen().cores()).isEqualTo(1);
        assertThat(decision.chosen().after().tailDelayUs())
                .isLessThan(decision.now().tailDelayUs());
        assertThat(decision.chosen().decidedBy()).isEqualTo(DecidedBy.AIM);
        assertThat(decision.chosen().words())
                .isEqualTo("for latency: quota stays 1.00 cores a shard, burst 100 ms");
        assertThat(decision.chosen().effortDays()).isEqualTo(0.5);
        for (Candidate candidate : decision.candidates()) {
            Freed freed = Freed.of(decision, candidate, 1, 2);
            assertThat(List.of(freed.rightSizing(), freed.byFixes())).containsOnly(Freed.NONE);
        }
        assertThat(Sentence.words(AdviceWords.of(decision, decision.chosen(), 0, 0)))
                .contains("1.00 cores stay: its owner wants latency")
                .anyMatch(words -> words.startsWith("tail delay at peak: "));
    }

    /** One CPU a shard of 0.2 reserved cores never throttles, and is five times the cores. */
    @Test
    void takenAsLatencyNobodyGetsMoreCoresThanAreReserved() {
        Advised shards = Advised.of(Advised.every(10, 1, 1.0), 2, 0.2, 1.5);
        Decision decision =
                shards.decide(
                        List.of(shards.set(5, PINNING), shards.set(1.2, BURST)),
                        Target.Aim.LATENCY);
        assertThat(decision.candidates().get(1).reached()).isFalse();
        assertThat(decision.chosen().setting().wholeCpus()).isFalse();
        assertThat(decision.chosen().cores()).isEqualTo(0.4);
    }

    @Test
    void whereTheCoresOfTodayReachNoTargetLatencyIsSizedAsSavingsAndSaysSo() {
        Advised small = Advised.of(STEADY, 1, 0.3, 1.0);
        Decision latency = small.decide(List.of(), Target.Aim.LATENCY);
        Decision savings = small.decide(List.of(), Target.Aim.SAVINGS);
        assertThat(latency.coresStay()).isFalse();
        assertThat(latency.chosen()).isEqualTo(savings.chosen());
        assertThat(Sentence.limits(AdviceWords.of(latency, latency.chosen(), 0, 0)))
                .anyMatch(words -> words.contains("sized as for savings"));
        assertThat(Sentence.limits(AdviceWords.of(savings, savings.chosen(), 0, 0)))
                .noneMatch(words -> words.contains("latency"));
    }

    @Test
    void whatNothingHelpsIsSaidAndNothingIsGivenBack() {
        Advised lost = Advised.of(STEADY, 10, 4, 5.6).with(after -> OptionalDouble.of(1.0));
        Decision decision = lost.decide(List.of(lost.set(2, POOLS)));
        assertThat(decision.chosen().reached()).isFalse();
        assertThat(decision.chosen().changes()).isFalse();
        assertThat(decision.chosen().words()).isEqualTo("leave it as it is");
        for (Candidate candidate : decision.candidates()) {
            assertThat(Freed.of(decision, candidate, 5, 6).cores()).isZero();
        }
        Sentence first = AdviceWords.of(decision, decision.chosen(), 0, 0).get(0);
        assertThat(first.words()).startsWith("no quota up to four times today's");
        assertThat(first.limitsTrust()).isTrue();
    }

    /** 0.5 % of the cores are not worth half a day. */
    @Test
    void aCutThatIsNotWorthTheWorkIsNone() {
        Decision decision = Advised.of(STEADY, 10, 4, 1.4 / 0.995).decide(List.of());
        assertThat(decision.chosen().decidedBy()).isEqualTo(DecidedBy.AS_IT_IS);
        assertThat(decision.chosen().changes()).isFalse();
        assertThat(decision.chosen().effortDays()).isZero();
        assertThat(decision.chosen().cores()).isEqualTo(40);
    }
}
