package io.quotascope.domain.cfs;

/**
 * Counters of cpu.stat, counted by the kernel's own rules.
 *
 * @param periods refills while the timer ran (nr_periods), one trailing idle period included
 * @param throttledPeriods refills that found a throttled run queue (nr_throttled)
 * @param throttledUs time that run queues with waiting tasks were throttled, summed over CPUs and
 *     added when they run again (throttled_usec)
 * @param bursts periods that used more than the quota (nr_bursts)
 * @param burstUs CPU time used beyond the quota (burst_usec)
 */
public record CpuStat(
        long periods, long throttledPeriods, long throttledUs, long bursts, long burstUs) {
    /** Nothing was counted. */
    public static final CpuStat NONE = new CpuStat(0, 0, 0, 0, 0);
}
