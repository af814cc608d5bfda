package io.quotascope.domain.hosts;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.window.ShardWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who took CPU time above quota on a host in one window of 10 s, and who waited for a CPU
 * meanwhile; in any order. Mutable; at most ten names.
 */
public final class Pressure {
    private static final int NAMED = 5;

    /**
     * One shard.
     *
     * @param us CPU time above quota, or time that threads waited, microseconds
     * @param name service/shard
     */
    public record Share(long us, String name) implements Comparable<Share> {
        private static final Comparator<Share> MOST_FIRST =
                Comparator.comparingLong(Share::us).reversed().thenComparing(Share::name);

        @Override
        public int compareTo(Share other) {
            return MOST_FIRST.compare(this, other);
        }
    }

    private boolean saturated;
    private long aboveQuotaUs;
    private long waitingUs;
    private final TreeSet<Share> above = new TreeSet<>();
    private final TreeSet<Share> waiting = new TreeSet<>();

    /** Sums and names as they were. */
    public static Pressure of(
            boolean saturated,
            long aboveQuotaUs,
            long waitingUs,
            List<Share> above,
            List<Share> waiting) {
        Pressure pressure = new Pressure();
        pressure.saturated = saturated;
        pressure.aboveQuotaUs = aboveQuotaUs;
        pressure.waitingUs = waitingUs;
        pressure.above.addAll(above);
        pressure.waiting.addAll(waiting);
        return pressure;
    }

    /** Adds one shard's record. */
    public void add(ShardWindow window) {
        String name = window.service() + '/' + window.shard();
        long excursionUs = window.usage().excursionUs().orElse(0);
        if (excursionUs > 0) {
            aboveQuotaUs += excursionUs;
            keep(above, new Share(excursionUs, name));
            return;
        }
        long waitedUs = waitedUs(window);
        if (waitedUs > 0) {
            waitingUs += waitedUs;
            keep(waiting, new Share(waitedUs, name));
        }
    }

    /** The host was saturated. */
    public void saturated() {
        saturated = true;
    }

    private static void keep(TreeSet<Share> shares, Share share) {
        shares.add(share);
        if (shares.size() > NAMED) {
            shares.pollLast();
        }
    }

    /**
     * Time that runnable threads of a shard waited for a CPU while it was not throttled,
     * microseconds: runnable threads less running ones. 0 where runnable threads are not measured.
     */
    static long waitedUs(ShardWindow window) {
        if (window.runnableHistogram().isEmpty()) {
            return 0;
        }
        BucketCounts runnable =
                BucketCounts.unpack(window.runnableHistogram().get(), RunnableLayout.INSTANCE);
        double threadSamples = 0;
        for (int bucket = 0; bucket < runnable.end(); bucket++) {
            threadSamples += runnable.count(bucket) * RunnableLayout.INSTANCE.value(bucket);
        }
        double runnableUs = threadSamples * window.sampling().sampleIntervalUs();
        return Math.max(0, Math.round(runnableUs - window.usage().sampledUsageUs()));
    }

    /** Whether the host was saturated. */
    public boolean isSaturated() {
        return saturated;
    }

    /** CPU time above quota of all shards, microseconds. */
    public long aboveQuotaUs() {
        return aboveQuotaUs;
    }

    /** Time that threads of shards within their quota waited, microseconds. */
    public long waitingUs() {
        return waitingUs;
    }

    /** Shards above quota, the most first, at most five. */
    public SortedSet<Share> above() {
        return above;
    }

    /** Shards whose threads waited, the longest first, at most five. */
    public SortedSet<Share> waiting() {
        return waiting;
    }

    /** The names with most time over several windows. */
    static List<Share> worst(List<SortedSet<Share>> windows) {
        java.util.Map<String, Long> sums = new java.util.TreeMap<>();
        windows.forEach(
                shares -> shares.forEach(share -> sums.merge(share.name(), share.us(), Long::sum)));
        List<Share> worst = new ArrayList<>();
        sums.forEach((name, us) -> worst.add(new Share(us, name)));
        worst.sort(Comparator.naturalOrder());
        return worst.subList(0, Math.min(3, worst.size()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pressure that
                && saturated == that.saturated
                && aboveQuotaUs == that.aboveQuotaUs
                && waitingUs == that.waitingUs
                && above.equals(that.above)
                && waiting.equals(that.waiting);
    }

    @Override
    public int hashCode() {
        return above.hashCode() * 31 + waiting.hashCode();
    }
}
