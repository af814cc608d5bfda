package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.Optional;
import java.util.SplittableRandom;

/** Demand of a stated kind, and the evidence that a collector would have of it. */
final class MeasuredDemand {
    private MeasuredDemand() {}

    /** Bursts of a random height and length between calm stretches: no Gaussian copula. */
    static DemandSeries bursts(long seed, int slots) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] cores = new double[slots];
        int slot = 0;
        while (slot < slots) {
            boolean burst = random.nextInt(4) == 0;
            double level = burst ? 1.0 + 2.5 * random.nextDouble() : 0.3 * random.nextDouble();
            int end = Math.min(slots, slot + 1 + random.nextInt(burst ? 12 : 25));
            for (; slot < end; slot++) {
                cores[slot] = level * (0.7 + 0.6 * random.nextDouble());
            }
        }
        return DemandSeries.of(cores, DemandSeries.Provenance.RECORDED);
    }

    /** What is measured of demand under a quota. */
    static DemandEvidence under(DemandSeries demand, CpuLimit.Quota quota, double cpus) {
        SlotServer server = new SlotServer();
        server.reset(Allowance.quota(quota, cpus), CostGrowth.NONE);
        double[] usage = new double[demand.slots()];
        for (int slot = 0; slot < usage.length; slot++) {
            usage[slot] = server.serve(demand.cores(slot));
        }
        QuotaMeter meter = server.meter();
        long records = usage.length / 1000;
        ThrottlingSums throttling =
                new ThrottlingSums(
                        records,
                        meter.periods(),
                        meter.throttledPeriods(),
                        0,
                        0,
                        0,
                        records,
                        meter.throttledRuns(),
                        (int) meter.throttledRunPeriodsMax(),
                        0,
                        0);
        return of(usage, throttling, Optional.of(quota), cpus);
    }

    static DemandEvidence of(
            double[] usage,
            ThrottlingSums throttling,
            Optional<CpuLimit.Quota> quota,
            double cpus) {
        BucketTally tally = new BucketTally();
        double sum = 0.0;
        for (double cores : usage) {
            tally.add(UsageLayout.bucket(Math.round(cores * 1e7), 10_000_000), 1);
            sum += cores;
        }
        return new DemandEvidence(
                tally.toCounts(),
                sum / usage.length,
                structure(usage),
                Math.max(1, usage.length / 1000),
                throttling,
                quota,
                cpus,
                false);
    }

    static TimeStructure structure(double[] usage) {
        double[] covariance = new double[TimeStructure.LAGS];
        boolean[] known = new boolean[TimeStructure.LAGS];
        for (int lag = 0; lag < covariance.length; lag++) {
            covariance[lag] = covariance(usage, 1 << lag);
            known[lag] = true;
        }
        return new TimeStructure(covariance(usage, 0), covariance, known);
    }

    static double covariance(double[] values, int distance) {
        double mean = 0.0;
        for (double value : values) {
            mean += value / values.length;
        }
        double sum = 0.0;
        for (int at = 0; at + distance < values.length; at++) {
            sum += (values[at] - mean) * (values[at + distance] - mean);
        }
        return sum / (values.length - distance);
    }
}
