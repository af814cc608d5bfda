package io.quotascope.domain.cfs;

/**
 * One interval of the trace.
 *
 * @param endUs end of the interval, which it does not contain
 * @param usageUs CPU time used in it
 * @param runnableUs task time on a CPU or queued on one that is not throttled
 * @param stalledUs task time queued on throttled CPUs
 * @param throttledWallUs wall time with a task queued on a throttled CPU
 * @param stat kernel counters at its end
 */
public record TraceSample(
        long endUs,
        long usageUs,
        long runnableUs,
        long stalledUs,
        long throttledWallUs,
        CpuStat stat) {}
