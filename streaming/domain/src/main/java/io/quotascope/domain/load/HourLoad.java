package io.quotascope.domain.load;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Requests of one service in one hour, from minutes in any order. An hour of which a minute is
 * missing says nothing: requests of 59 minutes beside the work of 60 would look like dearer ones.
 * The first minute of a greater version begins the hour anew, so an hour is corrected as a whole.
 *
 * @param version version of all its minutes
 * @param minutes which minutes have come, a bit each
 * @param requests requests of these
 * @param latency their latencies; absent when buckets differ from minute to minute, or some have
 *     none
 */
public record HourLoad(long version, long minutes, long requests, Optional<LatencyCounts> latency) {
    /** Length of an hour, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    private static final long ALL_MINUTES = (1L << 60) - 1;
    private static final int TAIL_PER_MILLE = 990;

    /** Start of the hour of an instant, microseconds since the Unix epoch. */
    public static long hourOf(long instantUs) {
        return Math.floorDiv(instantUs, HOUR_US) * HOUR_US;
    }

    /** One minute of an hour. */
    public static HourLoad of(ServiceLoad minute) {
        return new HourLoad(
                minute.version(), bit(minute), minute.requests(), Optional.of(minute.latency()));
    }

    /** With one minute more; one of a smaller version, or that has come, changes nothing. */
    public HourLoad plus(ServiceLoad minute) {
        if (minute.version() > version) {
            return of(minute);
        }
        if (minute.version() < version || (minutes & bit(minute)) != 0) {
            return this;
        }
        Optional<LatencyCounts> both =
                latency.filter(known -> known.boundsUs().equals(minute.latency().boundsUs()))
                        .map(known -> known.plus(minute.latency()));
        return new HourLoad(version, minutes | bit(minute), requests + minute.requests(), both);
    }

    private static long bit(ServiceLoad minute) {
        return 1L << Math.floorMod(minute.windowStartUs(), HOUR_US) / ServiceLoad.WINDOW_US;
    }

    /** Requests of the hour; absent unless all its minutes were counted. */
    public OptionalLong wholeRequests() {
        return minutes == ALL_MINUTES ? OptionalLong.of(requests) : OptionalLong.empty();
    }

    /** 99th percentile of latency, microseconds; absent likewise, and where nobody knows it. */
    public OptionalDouble wholeLatencyUsP99() {
        return minutes == ALL_MINUTES && latency.isPresent()
                ? latency.get().quantileUs(TAIL_PER_MILLE)
                : OptionalDouble.empty();
    }
}
