package io.quotascope.domain.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceSums;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The cost of concurrency from minutes whose cost is known. */
class CostEvidenceTest {
    private static final long START_US = 1_795_164_120_000_000L;
    private static final int BURSTS = 40;

    private record Minute(long[] workUs, long requests) {}

    /** A minute of threads that each answer requests of 2 to 25 ms, under a quota of two cores. */
    private static Minute simulated(double kappa, int threads, long seed) {
        SimulationSetup setup =
                SimulationSetup.of(
                                8,
                                new CpuLimit.Quota(200_000, 100_000, 0, 0),
                                KernelRules.EXACT,
                                60_000_000L)
                        .with(new CpuCost(kappa, 2));
        SplittableRandom random = new SplittableRandom(seed);
        List<TaskPlan> plans = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            List<TaskPlan.Burst> bursts = new ArrayList<>();
            for (int burst = 0; burst < BURSTS; burst++) {
                bursts.add(
                        new TaskPlan.Burst(
                                random.nextLong(2_000, 25_000), random.nextLong(40_000, 200_000)));
            }
            // All is done well before the minute ends, so its requests are known exactly.
            plans.add(new TaskPlan(random.nextLong(100_000), bursts, 3));
        }
        ServiceSums sums =
                ObservedWindows.sums(
                                ObservedWindows.of(
                                        setup,
                                        CfsSimulator.run(setup, plans),
                                        new ObservedShard(
                                                "checkout", "0", START_US, threads, true)))
                        .get(0);
        return new Minute(CostEvidence.workUs(sums), 3L * BURSTS * threads);
    }

    private static List<Minute> minutes(double kappa, int count) {
        List<Minute> minutes = new ArrayList<>();
        for (int minute = 0; minute < count; minute++) {
            minutes.add(simulated(kappa, 1 + minute % 16, minute));
        }
        return minutes;
    }

    private static CostEvidence evidence(List<Minute> minutes) {
        CostEvidence evidence = CostEvidence.none();
        for (Minute minute : minutes) {
            evidence = evidence.plus(minute.workUs(), minute.requests());
        }
        return evidence;
    }

    @Test
    void theSimulatorsOwnCostIsFound() {
        for (double kappa : new double[] {0, 0.4, 0.8}) {
            CostEvidence.Estimate found = evidence(minutes(kappa, 160)).estimate();
            assertThat(found.value()).as("kappa %s", kappa).isBetween(kappa - 0.15, kappa + 0.15);
            assertThat(found.high() - found.low()).as("width at %s", kappa).isLessThan(0.4);
        }
    }

    @Test
    void theOrderOfMinutesDoesNotMatter() {
        List<Minute> minutes = minutes(0.4, 40);
        CostEvidence inOrder = evidence(minutes);
        Collections.shuffle(minutes, new Random(7));
        CostEvidence shuffled = evidence(minutes);
        assertThat(shuffled.sums()).isEqualTo(inOrder.sums());
        assertThat(shuffled.squares()).isEqualTo(inOrder.squares());
    }

    @Test
    void minutesThatAreAllAlikeProveNothing() {
        List<Minute> alike = new ArrayList<>();
        for (int minute = 0; minute < 160; minute++) {
            alike.add(simulated(0.4, 1, minute));
        }
        CostEvidence.Estimate found = evidence(alike).estimate();
        assertThat(found.high() - found.low()).isGreaterThan(0.4);
        assertThat(cost(evidence(alike)).asKappa()).isEqualTo(Kappa.PRIOR);
    }

    @Test
    void aHandWorkedPair() {
        // At kappa 0 the second minute needs 20 % more of each request, at 0.1 the same.
        long[] calm = new long[13];
        long[] busy = new long[13];
        for (int at = 0; at < 13; at++) {
            calm[at] = 1_000_000;
            busy[at] = at == 1 ? 1_000_000 : 1_200_000 + 50_000L * at;
        }
        CostEvidence evidence = CostEvidence.none();
        for (int minute = 0; minute < 200; minute++) {
            evidence = evidence.plus(minute % 2 == 0 ? calm : busy, 1_000);
        }
        // ln(1000) = 6.9078 in 1/10,000, and ln(1200) = 7.0901.
        assertThat(evidence.sums()[1]).isEqualTo(200 * 69_078L);
        assertThat(evidence.sums()[0]).isEqualTo(100 * 69_078L + 100 * 70_901L);
        assertThat(evidence.estimate().value()).isBetween(0.05, 0.15);
        assertThat(cost(evidence).asKappa().measured()).isTrue();
        assertThat(cost(evidence).asKappa().words()).contains("measured from requests");
    }

    @Test
    void fewRequestsAndIdleMinutesAreLeftOut() {
        long[] some = new long[13];
        java.util.Arrays.fill(some, 1_000);
        CostEvidence none = CostEvidence.none();
        assertThat(none.plus(some, 99)).isSameAs(none);
        assertThat(none.plus(new long[13], 1_000)).isSameAs(none);
        CostEvidence.Estimate nothing = none.plus(some, 100).estimate();
        assertThat(nothing.low()).isZero();
        assertThat(nothing.high()).isEqualTo(CostEvidence.KAPPA_MAX);
    }

    private static ConcurrencyCost cost(CostEvidence evidence) {
        CostEvidence.Estimate estimate = evidence.estimate();
        return new ConcurrencyCost(
                Origin.SIMULATED,
                "c",
                "s",
                START_US,
                evidence.minutes(),
                estimate.value(),
                estimate.low(),
                estimate.high(),
                1);
    }

    @Test
    void aValueOutsideItsIntervalIsRefused() {
        assertThatThrownBy(
                        () ->
                                new ConcurrencyCost(
                                        Origin.MEASURED, "c", "s", 0, 200, 0.5, 0.1, 0.3, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.5");
    }
}
