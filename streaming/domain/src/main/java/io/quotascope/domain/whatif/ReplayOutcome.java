package io.quotascope.domain.whatif;

import java.util.Optional;

/**
 * What a replay gave. CPU times are in microseconds of CPU.
 *
 * @param periods periods that the kernel would count: the shard ran in them or in the one before; 0
 *     without quota
 * @param throttledPeriods of those, with work waiting and no quota left at the period's end
 * @param throttledRunPeriodsMax longest run of throttled periods
 * @param throttledWallUs wall time in which work waited and no quota was left
 * @param wantedCpuUs all work that arrived, retries included, at the price of no concurrency
 * @param servedCpuUs of it, done within the replay
 * @param usedCpuUs CPU time spent on it; more than served when work grows dearer
 * @param backlogCpuUs work left at the end: wanted - served
 * @param backlogCpuUsMax largest backlog at the end of a slot
 * @param stall time from arrival to the next refill for work that arrives while throttled, 0 for
 *     the rest
 * @param delay time from arrival to completion, first come first served
 * @param timeouts what clients saw; absent when none gives up
 */
public record ReplayOutcome(
        long periods,
        long throttledPeriods,
        long throttledRunPeriodsMax,
        double throttledWallUs,
        double wantedCpuUs,
        double servedCpuUs,
        double usedCpuUs,
        double backlogCpuUs,
        double backlogCpuUsMax,
        Percentiles stall,
        Percentiles delay,
        Optional<Timeouts> timeouts) {

    /**
     * Percentiles over arriving work, microseconds.
     *
     * @param p50 half of the work waits no longer
     * @param p90 nine tenths
     * @param p99 ninety-nine hundredths
     */
    public record Percentiles(double p50, double p90, double p99) {}

    /**
     * What clients saw.
     *
     * @param timedOutRatio share of first attempts that were not done within the timeout
     * @param tailTimedOutRatio the same over attempts whose timeout fell into the last 40 % of the
     *     replay
     * @param retriedCpuUs work that arrived again
     */
    public record Timeouts(double timedOutRatio, double tailTimedOutRatio, double retriedCpuUs) {}

    /** throttled_periods / periods, 0..1; 0 when no period elapsed. */
    public double throttledPeriodRatio() {
        return periods == 0 ? 0.0 : throttledPeriods / (double) periods;
    }

    /** Demand-weighted p99 of the longer of stall and delay, microseconds. */
    public double tailDelayUs() {
        return Math.max(stall.p99(), delay.p99());
    }
}
