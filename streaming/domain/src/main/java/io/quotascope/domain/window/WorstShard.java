package io.quotascope.domain.window;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * A shard in its worst window of 10 s. Its order is total over contents, so that the choice of the
 * worst never depends on arrival; counters that were not stated count as 0.
 *
 * @param shardId shard id
 * @param shard name
 * @param hostId host
 * @param windowStartUs start of the window of 10 s, microseconds since the Unix epoch
 * @param usageUs CPU time used in it, microseconds
 * @param periods periods elapsed in it
 * @param throttledPeriods throttled periods in it
 * @param throttledUs throttled time in it, microseconds
 * @param threads threads in it; absent without pids controller
 */
public record WorstShard(
        long shardId,
        String shard,
        String hostId,
        long windowStartUs,
        long usageUs,
        long periods,
        long throttledPeriods,
        long throttledUs,
        OptionalLong threads)
        implements Comparable<WorstShard> {

    /**
     * The worst first; the fields after the window's start only part two agents that claim the same
     * shard.
     */
    private static final Comparator<WorstShard> WORST_FIRST =
            Comparator.comparingLong(WorstShard::throttledUs)
                    .thenComparingLong(WorstShard::throttledPeriods)
                    .thenComparingLong(WorstShard::usageUs)
                    .reversed()
                    .thenComparingLong(WorstShard::shardId)
                    .thenComparingLong(WorstShard::windowStartUs)
                    .thenComparing(WorstShard::hostId)
                    .thenComparing(WorstShard::shard)
                    .thenComparingLong(WorstShard::periods)
                    .thenComparingLong(worst -> worst.threads().orElse(-1));

    /** The entry of one record. */
    public static WorstShard of(ShardWindow window) {
        return new WorstShard(
                window.shardId(),
                window.shard(),
                window.sender().hostId(),
                window.windowStartUs(),
                window.usage().usageUs(),
                window.throttling().periods().orElse(0),
                window.throttling().throttledPeriods().orElse(0),
                window.throttling().throttledUs().orElse(0),
                window.threads());
    }

    /** At most five of these, one entry a shard, the worst first. */
    public static List<WorstShard> worstOf(Collection<WorstShard> candidates) {
        WorstShards worst = new WorstShards();
        candidates.forEach(worst::add);
        return worst.toList();
    }

    /** Negative when this one is worse. */
    @Override
    public int compareTo(WorstShard other) {
        return WORST_FIRST.compare(this, other);
    }
}
