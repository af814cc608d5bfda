package io.quotascope.domain.analysis;

import io.quotascope.domain.throttling.UsedCores;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Load of a service in the hours of the last weeks: what a forecast looks back on, and the peak
 * that a service must be sized for.
 *
 * @param hours greatest minute of each hour, by the hour's start, microseconds since the Unix epoch
 */
public record LoadPeaks(SortedMap<Long, Hour> hours) {
    /** No hour is known. */
    public static final LoadPeaks NONE = new LoadPeaks(new TreeMap<>());

    private static final double MULTIPLE_MAX = 4;

    /** A peak nearer than this to what was measured is the load that was measured. */
    private static final double MULTIPLE_MIN = 1.01;

    /** Length of an hour, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    /** How long an hour is of use: two weeks and a day, microseconds. */
    public static final long KEPT_US = 15 * 24 * HOUR_US;

    /**
     * Greatest minute of an hour, each quantity by itself.
     *
     * @param coresPerShard mean use of a shard, cores
     * @param cores use of the service, cores
     */
    public record Hour(double coresPerShard, double cores) {
        /** The greater of both. */
        public Hour most(Hour other) {
            return new Hour(
                    Math.max(coresPerShard, other.coresPerShard), Math.max(cores, other.cores));
        }

        /** What one minute says. */
        public static Hour of(ServiceSums minute) {
            long usageUs = minute.usage().usageUs();
            return new Hour(
                    UsedCores.perShard(usageUs, minute.reporting().records()).orElse(0),
                    usageUs / (double) WindowPart.MINUTE_US);
        }
    }

    /** The hour that a minute lies in. */
    public static long hourOf(long windowStartUs) {
        return Math.floorDiv(windowStartUs, HOUR_US) * HOUR_US;
    }

    /** Peaks of the load of one shard, as the forecast takes them. */
    public SortedMap<Long, Double> perShard() {
        SortedMap<Long, Double> peaks = new TreeMap<>();
        hours.forEach(
                (start, hour) -> {
                    if (hour.coresPerShard() > 0) {
                        peaks.put(start, hour.coresPerShard());
                    }
                });
        return peaks;
    }

    /** Greatest minute of one shard up to an instant; absent without load. */
    public OptionalDouble mostPerShard(long untilUs) {
        return most(hours.headMap(untilUs).values().stream().mapToDouble(Hour::coresPerShard));
    }

    /** Greatest minute of the service up to an instant; absent without load. */
    public OptionalDouble most(long untilUs) {
        return most(hours.headMap(untilUs).values().stream().mapToDouble(Hour::cores));
    }

    /**
     * Peak of a shard over a mean load, at least 1: what a reservation has to bear. A peak far
     * above what was measured would be more assumption than measurement and counts as four times.
     *
     * @param meanCores mean load of a shard, positive
     */
    public double multipleOf(double meanCores, long untilUs) {
        double multiple = mostPerShard(untilUs).orElse(meanCores) / meanCores;
        return multiple < MULTIPLE_MIN ? 1 : Math.min(MULTIPLE_MAX, multiple);
    }

    private static OptionalDouble most(java.util.stream.DoubleStream loads) {
        return loads.filter(load -> load > 0).max();
    }
}
