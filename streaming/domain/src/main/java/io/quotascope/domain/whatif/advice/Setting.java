package io.quotascope.domain.whatif.advice;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a shard would be set to.
 *
 * @param quota quota, period and burst; for whole CPUs the quota of as many
 * @param poolThreads threads of the application's pools; absent = as they are
 * @param wholeCpus whether the shard gets CPUs of its own in place of a quota
 */
public record Setting(CpuLimit.Quota quota, OptionalInt poolThreads, boolean wholeCpus) {
    /** Cores that have to be reserved for it. */
    public double cores() {
        return quota.quotaUs() / (double) quota.periodUs();
    }

    /** What changes against a quota in force, if any; empty when nothing does. */
    public List<Scenario> changesFrom(Optional<CpuLimit.Quota> now) {
        List<Scenario> changes = new ArrayList<>();
        if (wholeCpus) {
            changes.add(new Scenario.WholeCpus((int) Math.max(1, Math.round(cores()))));
        } else if (!now.equals(Optional.of(quota))) {
            changes.add(new Scenario.SetQuota(quota));
        }
        poolThreads.ifPresent(threads -> changes.add(new Scenario.PoolThreads(threads)));
        return changes;
    }
}
