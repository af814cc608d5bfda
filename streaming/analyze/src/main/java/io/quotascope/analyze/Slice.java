package io.quotascope.analyze;

import java.util.OptionalLong;

/**
 * CPU use in one slice of time.
 *
 * @param slot number of the slice; a number left out is a slice that was missed
 * @param usageNs CPU time used, nanoseconds
 * @param elapsedNs length, nanoseconds
 * @param runnableThreads runnable threads; absent when not measured
 * @param periods enforcement periods that ended; absent when not measured
 * @param throttledPeriods of them, throttled; absent likewise
 * @param throttledUs throttled time summed over CPUs, microseconds; absent likewise
 */
public record Slice(
        long slot,
        long usageNs,
        long elapsedNs,
        OptionalLong runnableThreads,
        OptionalLong periods,
        OptionalLong throttledPeriods,
        OptionalLong throttledUs) {}
