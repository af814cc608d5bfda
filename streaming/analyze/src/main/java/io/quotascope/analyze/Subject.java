package io.quotascope.analyze;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One service and what is known of it.
 *
 * @param windows its usage windows, one service and quota class
 * @param hosts windows of its hosts; empty when none were recorded
 * @param quota quota in force; absent when unlimited
 * @param cpus CPUs that a shard can run on
 * @param reservedCores cores reserved per shard; absent = the quota
 * @param clients timeout and retries; absent when not known
 * @param objective latency objective
 * @param kappa cost of concurrency
 * @param kernelRelease kernel of the hosts; absent when not known
 * @param bandwidthSliceUs what a CPU draws at once on these hosts, microseconds; absent = the
 *     kernel's default
 * @param redistribution what clients do with the load of a collapsed shard
 */
record Subject(
        List<ShardWindow> windows,
        List<HostReport> hosts,
        Optional<CpuLimit.Quota> quota,
        double cpus,
        OptionalDouble reservedCores,
        Optional<ClientPolicy> clients,
        LatencyObjective objective,
        Kappa kappa,
        Optional<String> kernelRelease,
        OptionalLong bandwidthSliceUs,
        ServiceCliff.Redistribution redistribution) {

    /** Reserved cores, or the quota's where nothing else is said. */
    OptionalDouble reservation() {
        if (reservedCores.isPresent() || quota.isEmpty()) {
            return reservedCores;
        }
        return OptionalDouble.of(quota.get().quotaUs() / (double) quota.get().periodUs());
    }

    /** Whether the kernel's throttling counters are in every window. */
    boolean throttlingMeasured() {
        return windows.stream()
                .allMatch(window -> window.throttling().throttledPeriods().isPresent());
    }
}
