package io.quotascope.validate.kernel;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.Request;
import io.quotascope.domain.cfs.service.ServicePlan;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One recording of {@code kernelrun}: what a kernel made of a written-down service. All times are
 * microseconds.
 *
 * @param name name of the service
 * @param release kernel release
 * @param cpus CPUs of the machine
 * @param tickHz timer ticks a second
 * @param around other load on the machine
 * @param place which shard of its service
 * @param quota its limit; the phase of the periods is not known
 * @param threads size of its pool
 * @param client who asked
 * @param horizonUs length of the run
 * @param usageUs CPU time used
 * @param periods periods by the kernel's count
 * @param throttledPeriods throttled periods by the kernel's count
 * @param requests what was asked of this shard at first, with the CPU time that each task really
 *     took, over its price
 * @param latenciesUs of answered requests, ascending
 * @param firstFailed for each request whether its first attempt failed
 * @param utilization offered work of the service / quota of all shards, as planned
 * @param kappa how work got dearer with the CPUs that ran it; 0 = it did not
 * @param samples counters every 10 ms; empty unless the run was sampled
 */
public record KernelRun(
        String name,
        String release,
        int cpus,
        int tickHz,
        Around around,
        Place place,
        CpuLimit.Quota quota,
        int threads,
        Client client,
        long horizonUs,
        long usageUs,
        long periods,
        long throttledPeriods,
        List<Request> requests,
        List<Long> latenciesUs,
        List<Boolean> firstFailed,
        double utilization,
        double kappa,
        List<Sample> samples) {
    /**
     * What the kernel's counters grew by between two readings.
     *
     * @param elapsedUs time between them
     * @param usageUs CPU time used
     * @param periods periods
     * @param throttledPeriods of those, throttled
     * @param throttledUs throttled time
     */
    public record Sample(
            long elapsedUs, long usageUs, long periods, long throttledPeriods, long throttledUs) {}

    /**
     * What else happened on the machine.
     *
     * @param loadAverage other load before the run
     * @param otherCores cores that others took during it, own clients included; absent in
     *     recordings that do not state it
     * @param disturbed whether that was so much that the run says little about quotas
     */
    public record Around(double loadAverage, OptionalDouble otherCores, boolean disturbed) {}

    /**
     * Which shard of its service.
     *
     * @param shard number, from 0
     * @param shards shards of the service, each with quota and threads of its own
     * @param leftUs when clients left it for dead; -1 when they never did
     */
    public record Place(int shard, int shards, long leftUs) {}

    private static final int QUEUE_TASKS = 5_000_000;
    private static final double JUDGED_FROM = 0.6;
    private static final double COLLAPSED_ABOVE = 0.3;

    /** Throttled periods / periods; 0 without a period. */
    public double throttledPeriodRatio() {
        return periods == 0 ? 0 : throttledPeriods / (double) periods;
    }

    /** Cores that the quota allows. */
    public double quotaCores() {
        return quota.quotaUs() / (double) quota.periodUs();
    }

    /** Used cores / quota cores, mean over the run. */
    public double quotasUsed() {
        return usageUs / (double) horizonUs / quotaCores();
    }

    /** Whether clients give up within the run. */
    public boolean impatient() {
        return client.timeoutUs() < horizonUs;
    }

    /** More than 30 % of the first attempts of the last 40 % of the run failed. */
    public boolean collapsed() {
        return collapsed(List.of(this));
    }

    /** The same of a service of several shards: of all its requests together. */
    static boolean collapsed(List<KernelRun> shards) {
        long judged = 0;
        long lost = 0;
        for (KernelRun run : shards) {
            for (int number = 0; number < run.requests.size(); number++) {
                long arrivedUs = run.requests.get(number).arrivesUs();
                if (arrivedUs >= JUDGED_FROM * run.horizonUs
                        && arrivedUs < run.horizonUs - run.client.timeoutUs()) {
                    judged++;
                    lost += run.firstFailed.get(number) ? 1 : 0;
                }
            }
        }
        return lost > COLLAPSED_ABOVE * judged;
    }

    /** The simulator's setup of the same run at a phase of the periods. */
    SimulationSetup setup(long phaseUs) {
        CpuLimit limit =
                new CpuLimit.Quota(quota.quotaUs(), quota.periodUs(), quota.burstUs(), phaseUs);
        return SimulationSetup.of(cpus, limit, KernelRules.EXACT.withTicks(tickHz), horizonUs)
                .with(new CpuCost(kappa, quotaCores()));
    }

    ServicePlan plan() {
        return ServicePlan.of(client, Pool.of(threads, QUEUE_TASKS));
    }
}
