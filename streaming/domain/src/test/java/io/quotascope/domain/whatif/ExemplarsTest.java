package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.UsageLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ExemplarsTest {
    private static final CpuLimit.Quota QUOTA = new CpuLimit.Quota(150_000, 100_000, 0, 0);

    private static List<PackedBytes> exemplars(double[] usage) {
        List<PackedBytes> windows = new ArrayList<>();
        for (int from = 0; from + 1_000 <= usage.length; from += 1_000) {
            byte[] samples = new byte[1_000];
            for (int slot = 0; slot < samples.length; slot++) {
                long ns = Math.round(usage[from + slot] * 1e7);
                samples[slot] = (byte) UsageLayout.bucket(ns, 10_000_000);
            }
            windows.add(PackedBytes.of(samples));
        }
        return windows;
    }

    private static double[] usage(DemandSeries demand, CpuLimit.Quota quota) {
        SlotServer server = new SlotServer();
        server.reset(Allowance.quota(quota, 16), CostGrowth.NONE);
        double[] usage = new double[demand.slots()];
        for (int slot = 0; slot < usage.length; slot++) {
            usage[slot] = server.serve(demand.cores(slot));
        }
        return usage;
    }

    private static double error(DemandEvidence evidence, DemandSeries demand, double[] quotas) {
        FluidReplay replay = new FluidReplay();
        WhatIf whatIf = WhatIf.of(evidence, 7);
        double sum = 0;
        for (double times : quotas) {
            CpuLimit.Quota other =
                    new CpuLimit.Quota(Math.round(times * QUOTA.quotaUs()), 100_000, 0, 0);
            double truth = replay.throttledPeriodRatio(demand, Allowance.quota(other, 16));
            double said =
                    whatIf.outcome(new Scenario.SetQuota(other)).throttledPeriodRatio().value();
            sum += Math.abs(said - truth) / quotas.length;
        }
        return sum;
    }

    @Test
    void aMinuteOfExemplarsAnswersBetterThanSummaries() {
        double drawn = 0;
        double recorded = 0;
        for (int seed = 31; seed < 37; seed++) {
            DemandSeries demand = MeasuredDemand.bursts(seed, 6_000);
            DemandEvidence summaries = MeasuredDemand.under(demand, QUOTA, 16);
            DemandEvidence with = summaries.with(exemplars(usage(demand, QUOTA)));
            double[] quotas = {0.6, 0.8, 1.3};
            drawn += error(summaries, demand, quotas);
            recorded += error(with, demand, quotas);
            assertThat(WhatIf.of(with, 7).now().demand().series().get(0).provenance())
                    .isEqualTo(DemandSeries.Provenance.EXEMPLAR);
        }
        assertThat(recorded).isLessThan(drawn);
    }

    @Test
    void lessThanAMinuteOfExemplarsIsNotUsed() {
        DemandSeries demand = MeasuredDemand.bursts(3, 6_000);
        DemandEvidence summaries = MeasuredDemand.under(demand, QUOTA, 16);
        List<PackedBytes> all = exemplars(usage(demand, QUOTA));
        assertThat(Reconstruction.synthesize(summaries.with(all.subList(0, 5)), 1))
                .isEqualTo(Reconstruction.synthesize(summaries, 1));
        assertThat(Reconstruction.synthesize(summaries.with(all), 1))
                .isEqualTo(Reconstruction.synthesize(summaries.with(all), 1));
    }

    @Test
    void valuesComeFromTheHistogramAndOnlyTheirOrderFromExemplars() {
        DemandSeries demand = MeasuredDemand.bursts(5, 6_000);
        CpuLimit.Quota wide = new CpuLimit.Quota(1_600_000, 100_000, 0, 0);
        DemandEvidence summaries = MeasuredDemand.under(demand, wide, 16);
        // Exemplars of the same service at half of the load.
        double[] half = Arrays.stream(demand.toArray()).map(cores -> cores / 2).toArray();
        DemandSeries one =
                Reconstruction.synthesize(summaries.with(exemplars(half)), 1).series().get(0);
        assertThat(one.meanCores())
                .isCloseTo(demand.meanCores(), Offset.offset(0.01 * demand.meanCores()));
        double[] said = one.toArray();
        double[] meant = demand.toArray();
        double far = 0;
        for (int slot = 0; slot < said.length; slot++) {
            far += Math.abs(said[slot] - meant[slot]) / said.length;
        }
        assertThat(far).isLessThan(0.1 * demand.meanCores());
    }

    @Test
    void onlyTheTotalOfASaturatedRunIsKept() {
        // Three periods of demand for four: throttled in the first three, the rest in the fourth.
        double[] usage = new double[100];
        for (int period = 3; period < 6; period++) {
            Arrays.fill(usage, 10 * period, 10 * period + 3, 5.0);
        }
        usage[60] = 2.0;
        double[] demand = SaturatedRuns.spread(usage, QUOTA);
        assertThat(Arrays.stream(demand).sum())
                .isCloseTo(Arrays.stream(usage).sum(), Offset.offset(1e-9));
        assertThat(Arrays.stream(demand, 30, 70).min().orElseThrow()).isGreaterThan(0);
        assertThat(demand[30]).isGreaterThan(demand[69]);
        assertThat(Arrays.stream(demand, 0, 30).sum()).isZero();
        double[] calm = {1, 2, 0, 1, 0, 0, 1, 0, 2, 0, 0, 0};
        assertThat(SaturatedRuns.spread(calm, QUOTA)).isEqualTo(calm);
    }
}
