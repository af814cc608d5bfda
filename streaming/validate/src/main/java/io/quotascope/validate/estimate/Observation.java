package io.quotascope.validate.estimate;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Everything that an estimator may know of a service.
 *
 * @param input which of the following it was given
 * @param minutes rows of the service, oldest first; with exemplars unless the input is summaries
 * @param records the records behind them with their raw samples; empty unless a recording was given
 * @param limit quota in force
 * @param hostCpus CPUs of the host (HostWindow)
 * @param client time-out and retries as the catalog states them; absent = not in the catalog
 * @param kappa growth of the CPU cost, where it was measured; absent = unknown
 */
public record Observation(
        Input input,
        List<ServiceSums> minutes,
        List<ShardWindow> records,
        CpuLimit.Quota limit,
        int hostCpus,
        Optional<Client> client,
        OptionalDouble kappa) {
    /** Lists that cannot change any more. */
    public Observation {
        minutes = List.copyOf(minutes);
        records = List.copyOf(records);
    }

    /** Cores that the quota allows. */
    public double quotaCores() {
        return limit.quotaUs() / (double) limit.periodUs();
    }

    /** Throttled periods / periods over all minutes; 0 without a period. */
    public double throttledPeriodRatio() {
        long periods = 0;
        long throttled = 0;
        for (ServiceSums minute : minutes) {
            periods += minute.throttling().periods();
            throttled += minute.throttling().throttledPeriods();
        }
        return periods == 0 ? 0.0 : throttled / (double) periods;
    }

    /** Used cores, mean over all minutes. */
    public double usedCores() {
        long usageUs = 0;
        long records = 0;
        for (ServiceSums minute : minutes) {
            usageUs += minute.usage().usageUs();
            records += minute.reporting().records();
        }
        return usageUs / (1e7 * records);
    }
}
