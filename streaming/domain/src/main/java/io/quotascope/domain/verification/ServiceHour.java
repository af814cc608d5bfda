package io.quotascope.domain.verification;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One service in one hour.
 *
 * @param hourStartUs start, microseconds since the Unix epoch, UTC, a multiple of an hour
 * @param periods bandwidth periods elapsed
 * @param throttledPeriods throttled periods
 * @param usedCores mean used cores of all shards
 * @param reservedCores mean reserved cores of all shards; absent when nobody reserved any
 * @param requests requests served; absent without service-load records
 * @param latencyUsP99 99th percentile of latency, microseconds; absent likewise
 */
public record ServiceHour(
        long hourStartUs,
        long periods,
        long throttledPeriods,
        double usedCores,
        OptionalDouble reservedCores,
        OptionalLong requests,
        OptionalDouble latencyUsP99) {
    /** Length of an hour, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    /**
     * A readable hour.
     *
     * @throws IllegalArgumentException when it does not start on the hour or a value is negative
     */
    public ServiceHour {
        if (hourStartUs % HOUR_US != 0) {
            throw new IllegalArgumentException("hourStartUs must be a full hour: " + hourStartUs);
        }
        if (periods < 0 || throttledPeriods < 0 || !(usedCores >= 0)) {
            throw new IllegalArgumentException(
                    "counts and cores must not be negative: " + usedCores);
        }
    }
}
