package io.quotascope.domain.savings;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One change of what a shard may use. Absent values are left as they are.
 *
 * @param kind what is changed
 * @param capCores most cores at any instant afterwards
 * @param periodUs enforcement period afterwards, quota cores unchanged, microseconds
 * @param burstUs burst allowance afterwards, microseconds
 * @param withoutQuota true when the quota is dropped; then capCores is what limits
 */
public record Fix(
        FixKind kind,
        OptionalDouble capCores,
        Optional<Long> periodUs,
        Optional<Long> burstUs,
        boolean withoutQuota) {

    /** Pools of so many threads in all. */
    public static Fix pools(double threads) {
        return new Fix(
                FixKind.POOLS,
                OptionalDouble.of(threads),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** At most so many CPUs at any instant, and no quota. */
    public static Fix concurrencyCap(double cores) {
        return new Fix(
                FixKind.CONCURRENCY_CAP,
                OptionalDouble.of(cores),
                Optional.empty(),
                Optional.empty(),
                true);
    }

    /** So many whole CPUs, and no quota. */
    public static Fix pinning(int cpus) {
        return new Fix(
                FixKind.PINNING, OptionalDouble.of(cpus), Optional.empty(), Optional.empty(), true);
    }

    /** Another period at the same quota cores. */
    public static Fix period(long periodUs) {
        return new Fix(
                FixKind.PERIOD,
                OptionalDouble.empty(),
                Optional.of(periodUs),
                Optional.empty(),
                false);
    }

    /** A burst allowance. */
    public static Fix burst(long burstUs) {
        return new Fix(
                FixKind.BURST,
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.of(burstUs),
                false);
    }

    /** The allowance after all of these, whatever their order: the tightest cap holds. */
    public static Allowance applyAll(Allowance now, Collection<Fix> fixes) {
        double cap = now.capCores();
        Optional<CpuLimit.Quota> quota = now.quota();
        for (Fix fix : fixes) {
            cap = Math.min(cap, fix.capCores().orElse(cap));
            quota = quota.map(fix::on);
        }
        boolean dropped = fixes.stream().anyMatch(Fix::withoutQuota);
        return new Allowance(dropped ? Optional.empty() : quota, cap);
    }

    private CpuLimit.Quota on(CpuLimit.Quota quota) {
        long period = periodUs.orElse(quota.periodUs());
        long quotaUs =
                Math.max(1, Math.round(quota.quotaUs() * (double) period / quota.periodUs()));
        return new CpuLimit.Quota(
                quotaUs, period, burstUs.orElse(quota.burstUs()), quota.phaseUs() % period);
    }
}
