package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.Optional;

/**
 * Demand of one shard and what it may use: what scenarios change.
 *
 * @param demand reconstructed demand
 * @param quota quota as it is set; absent when unlimited
 * @param capCores most cores at any instant
 * @param strandedUs quota lost in every period to bandwidth slices that expire on idle CPUs
 *     (kernels 4.18 to 5.3), microseconds; 0 on other kernels
 * @param cost how work grows dearer with concurrency; demand is priced at none
 */
public record Situation(
        DemandEnsemble demand,
        Optional<CpuLimit.Quota> quota,
        double capCores,
        long strandedUs,
        CostGrowth cost) {
    /**
     * A possible situation.
     *
     * @throws IllegalArgumentException when the cap is not positive or the loss is negative
     */
    public Situation {
        if (!(capCores > 0.0 && capCores <= 1_000_000) || strandedUs < 0) {
            throw new IllegalArgumentException("cap " + capCores + ", stranded " + strandedUs);
        }
    }

    /** What can really be used: the quota without what is stranded. */
    public Allowance allowance() {
        return new Allowance(quota.map(this::usable), capCores);
    }

    private CpuLimit.Quota usable(CpuLimit.Quota set) {
        long usableUs = Math.max(1, set.quotaUs() - strandedUs);
        return new CpuLimit.Quota(usableUs, set.periodUs(), set.burstUs(), set.phaseUs());
    }

    Situation with(Optional<CpuLimit.Quota> other) {
        return new Situation(demand, other, capCores, strandedUs, cost);
    }

    Situation with(DemandEnsemble other) {
        return new Situation(other, quota, capCores, strandedUs, cost);
    }

    Situation cappedAt(double cores) {
        return new Situation(demand, quota, Math.min(capCores, cores), strandedUs, cost);
    }
}
