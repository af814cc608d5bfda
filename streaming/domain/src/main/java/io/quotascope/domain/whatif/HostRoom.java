package io.quotascope.domain.whatif;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.UsageLayout;

/**
 * What a host leaves for a shard without a quota.
 *
 * @param hostCpus CPUs of the host
 * @param hostUsage used cores of the whole host per sample, of its windows ({@code UsageLayout})
 * @param ownMeanCores mean used cores of the shard itself, which is part of that usage
 */
public record HostRoom(int hostCpus, BucketCounts hostUsage, double ownMeanCores) {
    /** The host is taken to be as busy as in its busiest hundredth of samples. */
    private static final int BUSY_PER_MILLE = 990;

    /** A shard on a full host still gets its weight's part; a tenth of a core stands for little. */
    private static final double LEAST_CORES = 0.1;

    /**
     * A host.
     *
     * @throws IllegalArgumentException without a CPU or a sample
     */
    public HostRoom {
        if (hostCpus < 1 || hostUsage.isEmpty() || !(ownMeanCores >= 0.0)) {
            throw new IllegalArgumentException(hostCpus + " CPUs, " + hostUsage.total());
        }
    }

    /** Cores left when the others use their 99th percentile, own usage taken off. */
    public double coresLeft() {
        double busy = hostUsage.quantile(BUSY_PER_MILLE, UsageLayout.V1).orElseThrow();
        double others = Math.max(0.0, busy - ownMeanCores);
        return Math.max(LEAST_CORES, Math.min(hostCpus, hostCpus - others));
    }
}
