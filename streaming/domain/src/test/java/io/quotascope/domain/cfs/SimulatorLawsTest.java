package io.quotascope.domain.cfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class SimulatorLawsTest {
    private static final long PERIOD_US = 20_000;
    private static final long HORIZON_US = 200_000;

    @Property(tries = 200)
    void cpuTimeIsWhatTheTasksGotAndWhatTheTraceShows(
            @ForAll("plans") List<TaskPlan> plans,
            @ForAll @LongRange(min = 500, max = 60_000) long quotaUs,
            @ForAll boolean ticks) {
        KernelRules rules = ticks ? KernelRules.EXACT.withTicks(250) : KernelRules.EXACT;
        SimulationOutcome outcome = run(plans, quota(quotaUs, 0), rules);
        long traced = outcome.samples().stream().mapToLong(TraceSample::usageUs).sum();
        assertThat(outcome.usageUs()).isEqualTo(traced);
        assertThat(outcome.usageUs()).isGreaterThanOrEqualTo(finishedUs(plans, outcome));
        assertThat(outcome.usageUs())
                .isLessThanOrEqualTo(plans.stream().mapToLong(SimulatorLawsTest::wanted).sum());
        for (TraceSample sample : outcome.samples()) {
            assertThat(sample.usageUs()).isLessThanOrEqualTo(sample.runnableUs());
        }
    }

    @Property(tries = 100)
    void timeHasNoUnit(
            @ForAll("plans") List<TaskPlan> plans,
            @ForAll @LongRange(min = 500, max = 60_000) long quotaUs,
            @ForAll @IntRange(min = 2, max = 9) int times) {
        SimulationOutcome one = run(plans, quota(quotaUs, 3_000), KernelRules.EXACT);
        SimulationOutcome many =
                CfsSimulator.run(
                        new SimulationSetup(
                                4,
                                4_000L * times,
                                new CpuLimit.Quota(
                                        quotaUs * times, PERIOD_US * times, 0, 3_000L * times),
                                longer(times),
                                CpuCost.CONSTANT,
                                10_000L * times,
                                HORIZON_US * times),
                        plans.stream().map(plan -> longer(plan, times)).toList());
        assertThat(many.stat().periods()).isEqualTo(one.stat().periods());
        assertThat(many.stat().throttledPeriods()).isEqualTo(one.stat().throttledPeriods());
        assertThat(many.stat().throttledUs()).isEqualTo(times * one.stat().throttledUs());
        assertThat(many.usageUs()).isEqualTo(times * one.usageUs());
        assertThat(many.poolUs()).isEqualTo(times * one.poolUs());
    }

    @Property(tries = 200)
    void exactlyChargedUsageNeverExceedsTheQuotasHandedOut(
            @ForAll("plans") List<TaskPlan> plans,
            @ForAll @LongRange(min = 500, max = 60_000) long quotaUs) {
        SimulationOutcome outcome = run(plans, quota(quotaUs, 0), KernelRules.EXACT);
        List<TraceSample> samples = outcome.samples();
        // Two samples are one period. What a CPU drew earlier it may use later: one slice each.
        for (int sample = 0; sample + 1 < samples.size(); sample += 2) {
            long used = samples.get(sample).usageUs() + samples.get(sample + 1).usageUs();
            assertThat(used).isLessThanOrEqualTo(quotaUs + 4 * 5_000);
        }
        // Over the whole run every microsecond comes from a refill, the first quota included.
        assertThat(outcome.usageUs()).isLessThanOrEqualTo(quotaUs * (HORIZON_US / PERIOD_US));
    }

    @Property(tries = 200)
    void theFirstRunOfTheGroupStrandsNothing(
            @ForAll("plans") List<TaskPlan> plans,
            @ForAll @LongRange(min = 500, max = 60_000) long quotaUs) {
        SimulationSetup first =
                SimulationSetup.of(4, quota(quotaUs, 0), KernelRules.EXACT, PERIOD_US);
        SimulationOutcome outcome = CfsSimulator.run(first, plans);
        long held = outcome.cpus().stream().mapToLong(SimulationOutcome.CpuLeft::runtimeUs).sum();
        assertThat(outcome.usageUs() + held + outcome.poolUs()).isEqualTo(quotaUs);
    }

    @Property(tries = 100)
    void aQuotaAboveAllDemandIsNoQuota(@ForAll("plans") List<TaskPlan> plans) {
        // 4 CPUs draw at most 4 x (20 + 5) ms in a period of 20 ms.
        SimulationOutcome limited = run(plans, quota(200_000, 0), KernelRules.EXACT);
        SimulationOutcome free = run(plans, new CpuLimit.Unlimited(), KernelRules.EXACT);
        assertThat(limited.stat().throttledPeriods()).isZero();
        assertThat(limited.burstEndsUs()).isEqualTo(free.burstEndsUs());
    }

    @Property(tries = 100)
    void oneBusyThreadGetsNoLessFromMoreQuota(
            @ForAll @LongRange(min = 100, max = 30_000) long quotaUs,
            @ForAll @LongRange(min = 0, max = 10_000) long moreUs) {
        List<TaskPlan> busy = List.of(TaskPlan.once(0, 1_000_000));
        assertThat(run(busy, quota(quotaUs + moreUs, 0), KernelRules.EXACT).usageUs())
                .isGreaterThanOrEqualTo(run(busy, quota(quotaUs, 0), KernelRules.EXACT).usageUs());
    }

    @Property(tries = 100)
    void aCapNeverRunsMoreThanItsCores(
            @ForAll("plans") List<TaskPlan> plans, @ForAll @IntRange(min = 1, max = 6) int cores) {
        SimulationOutcome outcome =
                run(plans, new CpuLimit.ConcurrencyCap(cores), KernelRules.EXACT);
        for (TraceSample sample : outcome.samples()) {
            assertThat(sample.usageUs()).isLessThanOrEqualTo(10_000L * Math.min(4, cores));
            assertThat(sample.stalledUs()).isZero();
        }
    }

    @Provide
    Arbitrary<List<TaskPlan>> plans() {
        Arbitrary<TaskPlan.Burst> burst =
                Combinators.combine(
                                Arbitraries.longs().between(1, 9_000),
                                Arbitraries.longs().between(0, 15_000))
                        .as(TaskPlan.Burst::new);
        return Combinators.combine(
                        Arbitraries.longs().between(0, 50_000),
                        burst.list().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.integers().between(1, 10))
                .as(TaskPlan::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    private static SimulationOutcome run(List<TaskPlan> plans, CpuLimit limit, KernelRules rules) {
        return CfsSimulator.run(SimulationSetup.of(4, limit, rules, HORIZON_US), plans);
    }

    private static CpuLimit.Quota quota(long quotaUs, long phaseUs) {
        return new CpuLimit.Quota(quotaUs, PERIOD_US, 0, phaseUs);
    }

    private static KernelRules longer(long times) {
        return new KernelRules(
                5_000 * times,
                1_000 * times,
                5_000 * times,
                2_000 * times,
                times,
                OptionalLong.empty(),
                false,
                Departure.KERNEL);
    }

    private static TaskPlan longer(TaskPlan plan, int times) {
        return new TaskPlan(
                plan.startUs() * times,
                plan.bursts().stream()
                        .map(
                                burst ->
                                        new TaskPlan.Burst(
                                                burst.cpuUs() * times, burst.sleepUs() * times))
                        .toList(),
                plan.cycles());
    }

    private static long wanted(TaskPlan plan) {
        return plan.cycles() * plan.bursts().stream().mapToLong(TaskPlan.Burst::cpuUs).sum();
    }

    private static long finishedUs(List<TaskPlan> plans, SimulationOutcome outcome) {
        List<Long> finished = new ArrayList<>();
        for (int task = 0; task < plans.size(); task++) {
            List<TaskPlan.Burst> bursts = plans.get(task).bursts();
            finished.add(
                    IntStream.range(0, outcome.burstEndsUs().get(task).size())
                            .mapToLong(done -> bursts.get(done % bursts.size()).cpuUs())
                            .sum());
        }
        return finished.stream().mapToLong(Long::longValue).sum();
    }
}
