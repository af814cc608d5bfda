package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.fleet.ReservedCores;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.WindowPart;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The minutes of a horizon as the models take them.
 *
 * @param scope of the last minute; completeness, shards and setting are those of the horizon
 * @param minutes their sums, oldest first
 * @param horizonUs length of the horizon, microseconds
 * @param quota quota in force; absent without one
 * @param demand what they say of the demand of one shard; absent without a sample
 */
public record HorizonEvidence(
        JudgementScope scope,
        List<ServiceSums> minutes,
        long horizonUs,
        Optional<CpuLimit.Quota> quota,
        Optional<DemandEvidence> demand) {

    /**
     * Evidence of minutes.
     *
     * @param minutes merged parts of each minute that had rows, by window start; not empty
     * @param part last part of the last minute
     * @param horizonUs length of the horizon, microseconds
     * @param hostCpus CPUs of the hosts: service windows do not state them
     */
    public static HorizonEvidence of(
            SortedMap<Long, ServiceSums> minutes,
            long part,
            CatalogView catalog,
            long horizonUs,
            double hostCpus) {
        List<ServiceSums> sums = List.copyOf(minutes.values());
        Bandwidth bandwidth = Bandwidth.NONE;
        int shards = 0;
        long records = 0;
        long expected = 0;
        ThrottlingSums throttling = ThrottlingSums.ZERO;
        for (ServiceSums minute : sums) {
            bandwidth = bandwidth.least(minute.bandwidth());
            shards = Math.max(shards, minute.reporting().shards());
            records += minute.reporting().records();
            expected += minute.reporting().expectedRecords();
            throttling = throttling.plus(minute.throttling());
        }
        ServiceSums last = minutes.get(minutes.lastKey());
        JudgementScope scope =
                new JudgementScope(
                        last.key(),
                        last.windowStartUs(),
                        part,
                        catalog.rowVersion(),
                        catalog.catalogVersion(),
                        catalog.team(),
                        shards,
                        Reporting.completeness(records, expected),
                        bandwidth.quotaCores(),
                        ReservedCores.of(catalog.entry(), bandwidth).cores());
        Optional<CpuLimit.Quota> quota = quota(bandwidth);
        return new HorizonEvidence(
                scope,
                sums,
                horizonUs,
                quota,
                DemandEvidence.of(
                        sums,
                        throttling.bandwidthRecords() > 0 ? quota : Optional.empty(),
                        Math.max(hostCpus, mostUsedCores(sums)),
                        polled(sums)));
    }

    private static Optional<CpuLimit.Quota> quota(Bandwidth bandwidth) {
        return bandwidth.quotaCores().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new CpuLimit.Quota(
                                bandwidth.quotaUs().getAsLong(),
                                bandwidth.periodUs().getAsLong(),
                                0,
                                0));
    }

    /** A shard that was seen on so many CPUs at once has them, whatever is said of the hosts. */
    private static double mostUsedCores(List<ServiceSums> minutes) {
        double most = 1;
        for (ServiceSums minute : minutes) {
            BucketCounts usage = minute.distributions().usage();
            if (!usage.isEmpty()) {
                most = Math.max(most, Math.ceil(UsageLayout.V1.lowerBound(usage.end() - 1)));
            }
        }
        return most;
    }

    /** Only exact back ends count runnable threads, so samples without them were polled. */
    private static boolean polled(List<ServiceSums> minutes) {
        long exact = 0;
        long samples = 0;
        for (ServiceSums minute : minutes) {
            exact += minute.distributions().runnable().map(BucketCounts::total).orElse(0L);
            samples += minute.distributions().usage().total();
        }
        return exact < samples / 2;
    }

    /** Quota in cores; absent without one. */
    public OptionalDouble quotaCores() {
        return quota.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(quota.get().quotaUs() / (double) quota.get().periodUs());
    }

    /** Whether the hosts of the last minute let a quota burst. */
    BurstKernels burstKernels() {
        return BurstKernels.of(minutes.get(minutes.size() - 1).kernelHostWindows());
    }

    /** Seed of everything that is drawn for this horizon. */
    public long seed() {
        return Reconstruction.seed(scope.key().topicKey(), endUs());
    }

    /** End of the last minute, microseconds since the Unix epoch. */
    public long endUs() {
        return scope.windowStartUs() + WindowPart.MINUTE_US;
    }

    /** The analysis that this is the evidence of. */
    public Analysed analysed(AnalysisTrigger trigger) {
        return new Analysed(endUs(), trigger, horizonUs, minutes.size());
    }
}
