package io.quotascope.domain.window;

import java.util.OptionalLong;

/**
 * The kernel's bandwidth counters over one window, each absent where it cannot be had.
 *
 * @param periods enforcement periods elapsed with the group active
 * @param throttledPeriods period ends that found the group throttled
 * @param throttledUs throttled time over run queues, microseconds; may exceed wall time
 * @param bursts periods in which burst was used
 * @param burstUsedUs CPU time from the burst allowance, microseconds
 * @param throttledRuns runs of consecutive throttled periods
 * @param throttledRunPeriodsMax longest such run, periods
 * @param throttledWallUs wall time with any CPU of the group throttled, microseconds
 */
public record ThrottlingCounters(
        OptionalLong periods,
        OptionalLong throttledPeriods,
        OptionalLong throttledUs,
        OptionalLong bursts,
        OptionalLong burstUsedUs,
        OptionalLong throttledRuns,
        OptionalLong throttledRunPeriodsMax,
        OptionalLong throttledWallUs) {
    /** Nothing is stated. */
    public static final ThrottlingCounters ABSENT =
            new ThrottlingCounters(
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
}
