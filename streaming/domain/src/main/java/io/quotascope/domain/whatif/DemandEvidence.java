package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.SecondOrderSums;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the shards of one service and quota class say about the demand of one of them.
 *
 * @param usage used cores per sample ({@code UsageLayout})
 * @param meanCores mean used cores, by the kernel's counter
 * @param structure variance and autocovariance of used cores
 * @param records windows of 10 s merged
 * @param throttling bandwidth counters while it was measured
 * @param quota quota in force; absent when unlimited
 * @param cpus CPUs that a shard can run on: of the host or of its cpuset
 * @param polled whether usage was read at timer ticks rather than measured exactly
 * @param exemplars raw samples of windows that were chosen by chance, each of 10 s; may be empty
 */
public record DemandEvidence(
        BucketCounts usage,
        double meanCores,
        TimeStructure structure,
        long records,
        ThrottlingSums throttling,
        Optional<CpuLimit.Quota> quota,
        double cpus,
        boolean polled,
        List<PackedBytes> exemplars) {
    /** Below this throttled period ratio usage is demand. */
    private static final double CENSORED_FROM = 0.003;

    /** Microseconds of the window of one record. */
    private static final long WINDOW_US = 10_000_000;

    /**
     * Evidence that says something.
     *
     * @throws IllegalArgumentException without a sample or a CPU
     */
    public DemandEvidence {
        if (usage.isEmpty() || records < 1 || !(cpus > 0.0 && cpus <= 1_000_000)) {
            throw new IllegalArgumentException(
                    usage.total() + " samples, " + records + " records, " + cpus + " CPUs");
        }
        if (!(meanCores >= 0.0 && meanCores <= 1_000_000)) {
            throw new IllegalArgumentException("meanCores " + meanCores);
        }
        exemplars = List.copyOf(exemplars);
    }

    /** Evidence without raw samples. */
    public DemandEvidence(
            BucketCounts usage,
            double meanCores,
            TimeStructure structure,
            long records,
            ThrottlingSums throttling,
            Optional<CpuLimit.Quota> quota,
            double cpus,
            boolean polled) {
        this(usage, meanCores, structure, records, throttling, quota, cpus, polled, List.of());
    }

    /** The same with other raw samples, as of a recording of every window. */
    public DemandEvidence with(List<PackedBytes> recorded) {
        return new DemandEvidence(
                usage, meanCores, structure, records, throttling, quota, cpus, polled, recorded);
    }

    /**
     * Evidence of minutes of one service and quota class; absent when they hold no sample.
     *
     * @param minutes their sums, in any order
     * @param quota quota in force, with its burst; absent when unlimited
     * @param cpus CPUs that a shard can run on
     * @param polled whether usage was read at timer ticks
     */
    public static Optional<DemandEvidence> of(
            List<ServiceSums> minutes,
            Optional<CpuLimit.Quota> quota,
            double cpus,
            boolean polled) {
        BucketCounts usage = BucketCounts.EMPTY;
        SecondOrderSums sums = new SecondOrderSums();
        UsageSums used = UsageSums.ZERO;
        ThrottlingSums throttling = ThrottlingSums.ZERO;
        long records = 0;
        List<PackedBytes> exemplars = new ArrayList<>();
        for (ServiceSums minute : minutes) {
            minute.exemplars().drawn().ifPresent(drawn -> exemplars.add(drawn.samples()));
            usage = usage.plus(minute.distributions().usage());
            sums.add(minute.secondOrder());
            used = used.plus(minute.usage());
            throttling = throttling.plus(minute.throttling());
            records += minute.reporting().records();
        }
        if (usage.isEmpty() || records == 0) {
            return Optional.empty();
        }
        return Optional.of(
                new DemandEvidence(
                        usage,
                        meanCores(used, sums),
                        TimeStructure.of(sums),
                        records,
                        throttling,
                        quota,
                        cpus,
                        polled,
                        exemplars));
    }

    /** Mean of the samples, corrected by what the kernel's counter saw beyond them. */
    private static double meanCores(UsageSums used, SecondOrderSums sums) {
        double sampled = sums.sum().doubleValue() / (256.0 * sums.samples().doubleValue());
        return used.sampledUsageUs() > 0
                ? sampled * (used.usageUs() / (double) used.sampledUsageUs())
                : sampled;
    }

    /** Throttled periods / periods; 0 when no period elapsed. */
    public double throttledPeriodRatio() {
        return throttling.throttledPeriodRatio().orElse(0.0);
    }

    /** Whether throttling hid some of the demand. */
    boolean isCensored() {
        return quota.isPresent() && throttledPeriodRatio() > CENSORED_FROM;
    }

    /** Seconds of one shard's time that were measured, over all shards. */
    public double seconds() {
        return records * (WINDOW_US / 1e6);
    }

    /** Slots of 10 ms between two samples: 1, or more when the collector sampled more seldom. */
    int slotsPerSample() {
        double planned = WINDOW_US / (double) DemandSeries.SLOT_US * records;
        return (int) Math.max(1, Math.min(10, Math.floor(planned / usage.total() + 0.25)));
    }
}
