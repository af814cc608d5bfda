package io.quotascope.domain.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.Departure;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import io.quotascope.domain.kernel.StrandedQuota.Observation;
import io.quotascope.domain.kernel.StrandedQuota.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class StrandedQuotaTest {
    private static final long PERIOD_US = 100_000;
    private static final long HORIZON_US = 2_000_000;

    @Example
    void nobodyThrottledNeedsNoReason() {
        // 1 core of quota, 88 CPUs, 10 s.
        assertThat(
                        StrandedQuota.of(new Observation(100_000, 0, 0, 88, 5_000, 10_000_000))
                                .standing())
                .isEqualTo(Standing.NOT_THROTTLED);
    }

    @Example
    void aFullyUsedQuotaExplainsItself() {
        // 100 periods of 100 ms each throttled, all 10 s of quota used.
        assertThat(
                        StrandedQuota.of(
                                        new Observation(
                                                100_000, 100, 10_000_000, 88, 5_000, 10_000_000))
                                .standing())
                .isEqualTo(Standing.EXPLAINED);
    }

    @Example
    void quotaThatNobodyUsedIsStranded() {
        // Handed out 100 x 100 ms = 10 s, used 1.3 s: 8.7 s unused.
        // Allowance 100 ms + 88 x (5 + 10) ms = 1.42 s; certainly lost 7.28 s in 10 s.
        StrandedQuota quota =
                StrandedQuota.of(new Observation(100_000, 100, 1_300_000, 88, 5_000, 10_000_000));
        assertThat(quota.standing()).isEqualTo(Standing.STRANDED);
        assertThat(quota.strandedCores()).isCloseTo(0.87, within(1e-9));
        assertThat(quota.strandedCoresLow()).isCloseTo(0.728, within(1e-9));
    }

    /**
     * The law behind the verdict: sound kernels hand nothing out that is not used or still held.
     */
    @Property(tries = 150)
    void aSoundKernelIsNeverAccused(
            @ForAll @LongRange(min = 0, max = 1L << 40) long seed,
            @ForAll @LongRange(min = 2_000, max = 200_000) long quotaUs,
            @ForAll boolean ticks) {
        KernelRules rules = ticks ? KernelRules.EXACT.withTicks(250) : KernelRules.EXACT;
        assertThat(observe(seed, 16, quotaUs, rules).standing()).isNotEqualTo(Standing.STRANDED);
    }

    /**
     * 87 small workers on as many CPUs keep a slice each; with expiry all of it is lost each
     * period.
     */
    @Example
    void expiringSlicesAreFound() {
        assertThat(hog(true).standing()).isEqualTo(Standing.STRANDED);
        assertThat(hog(true).strandedCores()).isBetween(0.3, 0.95);
        assertThat(hog(false).standing()).isNotEqualTo(Standing.STRANDED);
    }

    private static StrandedQuota hog(boolean expire) {
        List<TaskPlan> plans = new ArrayList<>();
        for (int worker = 0; worker < 87; worker++) {
            plans.add(
                    new TaskPlan(
                            worker * 100L, List.of(new TaskPlan.Burst(100, PERIOD_US - 100)), 100));
        }
        plans.add(TaskPlan.once(50_000, 10_000_000));
        return observe(plans, 88, 100_000, rules(expire), 10_000_000);
    }

    private static KernelRules rules(boolean expire) {
        return new KernelRules(
                5_000, 1_000, 5_000, 2_000, 1, OptionalLong.empty(), expire, Departure.KERNEL);
    }

    private static StrandedQuota observe(long seed, int cpus, long quotaUs, KernelRules rules) {
        RandomGenerator random = new SplittableRandom(seed);
        List<TaskPlan> plans = new ArrayList<>();
        for (int task = random.nextInt(1, 24); task > 0; task--) {
            TaskPlan.Burst burst =
                    new TaskPlan.Burst(random.nextLong(50, 40_000), random.nextLong(0, 120_000));
            plans.add(
                    new TaskPlan(
                            random.nextLong(PERIOD_US), List.of(burst), 1 + random.nextInt(60)));
        }
        return observe(plans, cpus, quotaUs, rules, HORIZON_US);
    }

    private static StrandedQuota observe(
            List<TaskPlan> plans, int cpus, long quotaUs, KernelRules rules, long horizonUs) {
        CpuLimit limit = new CpuLimit.Quota(quotaUs, PERIOD_US, 0, 0);
        SimulationOutcome seen =
                CfsSimulator.run(SimulationSetup.of(cpus, limit, rules, horizonUs), plans);
        return StrandedQuota.of(
                new Observation(
                        quotaUs,
                        seen.stat().throttledPeriods(),
                        seen.usageUs(),
                        cpus,
                        rules.bandwidthSliceUs(),
                        horizonUs));
    }
}
