package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WhatIfTest {
    private static final CpuLimit.Quota QUOTA = new CpuLimit.Quota(150_000, 100_000, 0, 0);
    private static final DemandSeries DEMAND = MeasuredDemand.bursts(21, 12_000);
    private static final DemandEvidence EVIDENCE = MeasuredDemand.under(DEMAND, QUOTA, 16);
    private static final WhatIf WHAT_IF = WhatIf.of(EVIDENCE, 42);

    @Property(tries = 20)
    void theSettingInForceGivesWhatWasObserved(
            @ForAll @LongRange(min = 1, max = 500) long seed,
            @ForAll @LongRange(min = 80_000, max = 300_000) long quotaUs) {
        DemandEvidence evidence =
                MeasuredDemand.under(
                        MeasuredDemand.bursts(seed, 6_000),
                        new CpuLimit.Quota(quotaUs, 100_000, 0, 0),
                        16);
        RatioEstimate now =
                WhatIf.of(evidence, seed).outcome(new Scenario.AsItIs()).throttledPeriodRatio();
        assertThat(now.value()).isBetween(0.0, 1.0);
        // A replay that never throttles has nothing to be corrected by.
        double observed = evidence.throttledPeriodRatio();
        assertThat(now.value()).isCloseTo(observed, Offset.offset(0.01));
        assertThat(observed).isBetween(now.low() - 1e-9, now.high() + 1e-9);
    }

    @Test
    void scenariosComeNearTheTruth() {
        FluidReplay replay = new FluidReplay();
        for (double times : new double[] {0.7, 1.3}) {
            CpuLimit.Quota quota = new CpuLimit.Quota(Math.round(times * 150_000), 100_000, 0, 0);
            double truth = replay.throttledPeriodRatio(DEMAND, Allowance.quota(quota, 16));
            Outcome outcome = WHAT_IF.outcome(new Scenario.SetQuota(quota));
            assertThat(outcome.throttledPeriodRatio().value())
                    .as("quota x %s", times)
                    .isCloseTo(truth, Offset.offset(0.05));
            assertThat(truth)
                    .isBetween(
                            outcome.throttledPeriodRatio().low(),
                            outcome.throttledPeriodRatio().high());
        }
    }

    @Test
    void withoutAQuotaNothingIsThrottled() {
        for (Scenario scenario :
                List.of(new Scenario.ConcurrencyCap(2), new Scenario.WholeCpus(4))) {
            Outcome outcome = WHAT_IF.outcome(scenario);
            assertThat(outcome.throttledPeriodRatio()).isEqualTo(new RatioEstimate(0, 0, 0));
            assertThat(outcome.stall().p99()).isZero();
        }
        double two = WHAT_IF.outcome(new Scenario.ConcurrencyCap(1)).delay().p99();
        double four = WHAT_IF.outcome(new Scenario.ConcurrencyCap(4)).delay().p99();
        assertThat(two).isGreaterThan(four);
    }

    @Test
    void aFixedKernelGivesBackWhatWasStranded() {
        WhatIf stranding = WhatIf.of(EVIDENCE, Reconstruction.synthesize(EVIDENCE, 42), 60_000);
        double fixed = stranding.outcome(new Scenario.FixedKernel()).throttledPeriodRatio().value();
        double now = stranding.outcome(new Scenario.AsItIs()).throttledPeriodRatio().value();
        assertThat(fixed).isLessThan(now);
        Situation after = new Scenario.FixedKernel().after(stranding.now());
        assertThat(after.allowance().quota().orElseThrow().quotaUs()).isEqualTo(150_000);
        assertThat(stranding.now().allowance().quota().orElseThrow().quotaUs()).isEqualTo(90_000);
    }

    @Test
    void changesTogetherAreOneChange() {
        CpuLimit.Quota half = new CpuLimit.Quota(75_000, 100_000, 0, 0);
        Scenario together =
                new Scenario.Together(
                        List.of(new Scenario.SetQuota(half), new Scenario.PoolThreads(1)));
        Situation after = together.after(WHAT_IF.now());
        assertThat(after.quota()).contains(half);
        assertThat(after.capCores()).isEqualTo(1);
        assertThat(WHAT_IF.outcome(together).trust())
                .isEqualTo(WHAT_IF.outcome(new Scenario.SetQuota(half)).trust());
    }

    @Property(tries = 20)
    void mergedShardsHaveTheVarianceOfTheirCorrelation(
            @ForAll @IntRange(min = 2, max = 8) int shards,
            @ForAll @DoubleRange(min = 0, max = 1) double correlation) {
        DemandEnsemble one = WHAT_IF.now().demand();
        DemandEnsemble merged = MergedDemand.of(one, shards, correlation);
        assertThat(merged.meanCores())
                .isCloseTo(shards * one.meanCores(), Offset.offset(0.02 * shards));
        double expected = (shards + shards * (shards - 1) * correlation) * variance(one);
        // What falls below zero is cut; minutes strayed from each other by chance.
        assertThat(variance(merged)).isBetween(0.65 * expected, 1.35 * expected);
    }

    @Test
    void mergingOneShardChangesNothing() {
        assertThat(MergedDemand.of(WHAT_IF.now().demand(), 1, 0.5))
                .isEqualTo(WHAT_IF.now().demand());
    }

    @Test
    void aBusyHostLeavesLess() {
        // 64 CPUs, 99 % of samples at most 40 cores; the bucket's middle is within 3.1 %.
        BucketTally host = new BucketTally();
        host.add(UsageLayout.bucket(40, 1), 100);
        HostRoom room = new HostRoom(64, host.toCounts(), 2);
        assertThat(room.coresLeft()).isCloseTo(26, Offset.offset(0.031 * 40));
        Situation after = new Scenario.NoQuota(room).after(WHAT_IF.now());
        assertThat(after.quota()).isEmpty();
        assertThat(after.capCores()).isEqualTo(16);
    }

    @Test
    void anOutcomeSaysWhyItIsLessSure() {
        Outcome short20 =
                WHAT_IF.outcome(new Scenario.SetQuota(new CpuLimit.Quota(30_000, 20_000, 0, 0)));
        assertThat(short20.trust().reasons()).contains(Trust.Reason.SHORT_PERIOD);
        assertThat(short20.trust().verdict()).isEqualTo(Trust.Verdict.DOUBTFUL);
        Outcome tiny =
                WHAT_IF.outcome(new Scenario.SetQuota(new CpuLimit.Quota(7_500, 5_000, 0, 0)));
        assertThat(tiny.trust().verdict()).isEqualTo(Trust.Verdict.UNUSABLE);
        assertThat(WHAT_IF.outcome(new Scenario.Load(3, 0.5)).trust().reasons())
                .contains(Trust.Reason.GROWTH_ASSUMED, Trust.Reason.FAR_LOAD);
        assertThat(WHAT_IF.outcome(new Scenario.BandwidthSlice(1_000)).trust().reasons())
                .contains(Trust.Reason.OUTSIDE_MODEL);
        RatioEstimate now = WHAT_IF.outcome(new Scenario.AsItIs()).throttledPeriodRatio();
        RatioEstimate slice =
                WHAT_IF.outcome(new Scenario.BandwidthSlice(20_000)).throttledPeriodRatio();
        assertThat(slice.value()).isEqualTo(now.value());
        assertThat(slice.high() - now.high()).isBetween(0.01, 0.02);
        DemandEvidence starved =
                MeasuredDemand.under(DEMAND, new CpuLimit.Quota(20_000, 100_000, 0, 0), 16);
        assertThat(WhatIf.of(starved, 1).outcome(new Scenario.AsItIs()).trust().verdict())
                .isEqualTo(Trust.Verdict.UNUSABLE);
        DemandEvidence shortTime = MeasuredDemand.under(MeasuredDemand.bursts(1, 2_000), QUOTA, 16);
        assertThat(WhatIf.of(shortTime, 1).outcome(new Scenario.AsItIs()).trust().reasons())
                .contains(Trust.Reason.TOO_LITTLE_DATA);
        DemandEvidence unlimited =
                MeasuredDemand.of(DEMAND.toArray(), EVIDENCE.throttling(), Optional.empty(), 16);
        assertThat(WhatIf.of(unlimited, 1).outcome(new Scenario.AsItIs()).trust().reasons())
                .contains(Trust.Reason.NEVER_LIMITED);
    }

    private static double variance(DemandEnsemble ensemble) {
        double sum = 0.0;
        for (DemandSeries series : ensemble.series()) {
            sum += MeasuredDemand.covariance(series.toArray(), 0);
        }
        return sum / ensemble.series().size();
    }
}
