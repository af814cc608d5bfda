package io.quotascope.domain.hosts;

import io.quotascope.domain.kernel.ShardHour;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a host's alerts remember between minutes: the shards of the hour so far, and the threads of
 * the last hour. Mutable; some 200 bytes a shard and 1 KB beside.
 */
public final class HostMemory {
    private static final int TREND_MINUTES = 60;
    private static final int TREND_SETTLED_MINUTES = 10;
    private static final int TREND_MINUTES_MIN = 10;
    private static final long MINUTE_US = 60_000_000;

    private long hourStartUs = Long.MIN_VALUE;
    private HostShards shards = new HostShards();
    private final TreeMap<Long, Long> threads = new TreeMap<>();
    private final TreeMap<Long, String> kernels = new TreeMap<>();

    /** Takes a minute in, the latest so far. */
    public void add(long minuteUs, HostMinute minute) {
        long hour = Math.floorDiv(minuteUs, ShardHour.HOUR_US) * ShardHour.HOUR_US;
        if (hour != hourStartUs) {
            hourStartUs = hour;
            shards = new HostShards();
            kernels.clear();
        }
        shards.merge(minute.shards());
        kernels.putAll(minute.tally().kernels());
        if (minute.tally().count(HostCounter.THREAD_RECORDS) > 0) {
            threads.put(minuteUs, minute.tally().count(HostCounter.THREADS_MAX));
        }
        threads.headMap(minuteUs - TREND_MINUTES * MINUTE_US).clear();
    }

    /**
     * Mean threads of the last hour without its last ten minutes, which may be what grows. Absent
     * while fewer than ten minutes of it are known.
     */
    public OptionalDouble threadsBefore(long minuteUs) {
        SortedMap<Long, Long> settled =
                threads.headMap(minuteUs - TREND_SETTLED_MINUTES * MINUTE_US);
        if (settled.size() < TREND_MINUTES_MIN) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                settled.values().stream().mapToLong(Long::longValue).sum()
                        / (double) settled.size());
    }

    /** Shards of the hour so far. */
    public HostShards shards() {
        return shards;
    }

    /** Kernel by run of the agent in the hour so far. */
    public SortedMap<Long, String> kernels() {
        return kernels;
    }

    /** Start of the hour that shards are remembered of, microseconds since the Unix epoch. */
    public long hourStartUs() {
        return hourStartUs;
    }

    /** Threads by minute. */
    public SortedMap<Long, Long> threads() {
        return threads;
    }

    /** What was remembered before. */
    public static HostMemory of(
            long hourStartUs,
            HostShards shards,
            SortedMap<Long, String> kernels,
            SortedMap<Long, Long> threads) {
        HostMemory memory = new HostMemory();
        memory.hourStartUs = hourStartUs;
        memory.shards = shards;
        memory.kernels.putAll(kernels);
        memory.threads.putAll(threads);
        return memory;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostMemory that
                && hourStartUs == that.hourStartUs
                && shards.equals(that.shards)
                && kernels.equals(that.kernels)
                && threads.equals(that.threads);
    }

    @Override
    public int hashCode() {
        return threads.hashCode();
    }
}
