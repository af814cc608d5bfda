package io.quotascope.domain.advice;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.Provisioning;
import java.util.List;
import java.util.Optional;

/**
 * What a service has and what the gain model says it needs: the two bounds of a candidate that no
 * replay of it can move.
 *
 * @param provisioning what is reserved, and what keeps it from being less
 * @param targets how tightly to provision
 * @param quota quota in force of one shard; it moves in proportion to the reservation
 */
public record Service(
        Provisioning provisioning, Provisioning.Targets targets, CpuLimit.Quota quota) {
    /** Whole CPUs that its quota comes to, at least 1: what fixes were evaluated with. */
    public int wholeCpus() {
        return (int) Math.max(1, Math.ceil(quotaCores() - 1e-9));
    }

    /** What can be fixed besides the reservation. */
    public List<Fix> fixes() {
        int whole = wholeCpus();
        return List.of(Fix.pools(whole), Fix.burst(quota.quotaUs()), Fix.pinning(whole));
    }

    /** Quota of one shard, cores. */
    public double quotaCores() {
        return quota.quotaUs() / (double) quota.periodUs();
    }

    /** Reserved cores of all shards. */
    public double reservedCores() {
        return provisioning.reservedCoresTotal();
    }

    /** Cores needed without any fix at the target headroom; never more than are reserved. */
    public double needCores() {
        return provisioning.rightSizedCores(targets);
    }

    /** Cores that must stay whatever a fix gains. */
    public double floorCores() {
        return provisioning.floorCores(targets);
    }

    /** The same service were its cliff elsewhere. */
    Service atHeadroom(double headroom) {
        return new Service(provisioning.atHeadroom(headroom), targets, quota);
    }

    static double gain(Optional<FixSet> fixes) {
        return fixes.map(FixSet::gain).orElse(1.0);
    }

    /** Reserved cores that need, gain and floor ask for: of a quota that is cut to size. */
    double leastCores(double gain) {
        return Math.max(floorCores(), needCores() / gain);
    }

    /**
     * Whole CPUs of a shard that they ask for. So many CPUs as the quota comes to carry the gain
     * times what the reservation carries.
     */
    int leastCpus(double gain) {
        double needed = wholeCpus() * needCores() / reservedCores() / gain;
        double floor = floorCores() / provisioning.shards();
        return (int) Math.max(1, Math.ceil(Math.max(needed, floor) - 1e-9));
    }
}
