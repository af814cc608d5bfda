package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.Optional;

/**
 * What a shard may use.
 *
 * @param quota bandwidth control; absent when unlimited
 * @param capCores most cores at any instant: CPUs of the host, of the cpuset or of a concurrency
 *     cap, or threads of the pool, whichever is least
 */
public record Allowance(Optional<CpuLimit.Quota> quota, double capCores) {
    /**
     * An allowance that lets something run.
     *
     * @throws IllegalArgumentException when the cap is not positive and finite
     */
    public Allowance {
        if (!(capCores > 0.0 && capCores <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("capCores must be finite and > 0: " + capCores);
        }
    }

    /** A quota on so many CPUs. */
    public static Allowance quota(CpuLimit.Quota quota, double capCores) {
        return new Allowance(Optional.of(quota), capCores);
    }

    /** No quota, so many cores. */
    public static Allowance capped(double capCores) {
        return new Allowance(Optional.empty(), capCores);
    }

    /** The most cores that can be used for long: the lesser of quota cores and cap. */
    public double sustainedCores() {
        return quota.map(limit -> Math.min(capCores, limit.quotaUs() / (double) limit.periodUs()))
                .orElse(capCores);
    }
}
