package io.quotascope.domain.cfs;

import java.util.List;

/**
 * What a run left behind.
 *
 * @param stat kernel counters at the horizon
 * @param article the same run counted by hand
 * @param usageUs CPU time of all tasks
 * @param burstEndsUs for every task the instants at which its bursts ended
 * @param poolUs runtime in the global pool at the horizon; 0 without a quota
 * @param cpus every CPU at the horizon
 * @param samples the trace, oldest first; the last sample may be shorter
 * @param periods what every period used that the period timer ended, oldest first
 */
public record SimulationOutcome(
        CpuStat stat,
        ArticleCounts article,
        long usageUs,
        List<List<Long>> burstEndsUs,
        long poolUs,
        List<CpuLeft> cpus,
        List<TraceSample> samples,
        List<PeriodUse> periods) {
    /** Lists that cannot change any more. */
    public SimulationOutcome {
        burstEndsUs = burstEndsUs.stream().map(List::copyOf).toList();
        cpus = List.copyOf(cpus);
        samples = List.copyOf(samples);
        periods = List.copyOf(periods);
    }

    /**
     * A period that the period timer ended.
     *
     * @param endUs instant of the refill
     * @param usageUs CPU time used since the refill before
     * @param throttled whether the refill found a throttled run queue
     */
    public record PeriodUse(long endUs, long usageUs, boolean throttled) {}

    /**
     * Periods as the articles count them; both are 0 without a quota.
     *
     * @param activePeriods periods of the grid during which a task wanted to run
     * @param stalledPeriods periods during which a task waited on a throttled CPU
     */
    public record ArticleCounts(long activePeriods, long stalledPeriods) {}

    /**
     * A CPU's share of the pool.
     *
     * @param runtimeUs runtime left, negative while it owes; 0 without a quota
     * @param throttled whether its run queue is throttled
     */
    public record CpuLeft(long runtimeUs, boolean throttled) {}
}
