package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.CpuStat;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import java.util.OptionalDouble;

/**
 * What a run of a service left behind.
 *
 * @param setup under which it ran
 * @param trace what the kernel and a collector would have seen
 * @param requests what became of the requests
 */
public record ServiceRun(SimulationSetup setup, SimulationOutcome trace, ServiceRequests requests) {
    /** Throttled periods / periods; absent without a period. */
    public OptionalDouble throttledPeriodRatio() {
        CpuStat stat = trace.stat();
        return stat.periods() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(stat.throttledPeriods() / (double) stat.periods());
    }

    /** Used cores, mean over the run. */
    public double usedCores() {
        return trace.usageUs() / (double) setup.horizonUs();
    }

    /** Cores that the requests needed, asked once each, mean over the run. */
    public double offeredCores() {
        return requests.offeredWorkUs() / (double) setup.horizonUs();
    }

    /** Answered requests a second. */
    public double goodput() {
        return requests.answered() * 1e6 / setup.horizonUs();
    }
}
