package io.quotascope.domain.hosts;

import io.quotascope.domain.kernel.ShardHour;
import io.quotascope.domain.kernel.StrandedShards;
import io.quotascope.domain.window.ShardWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The shards with a quota of one host in an hour or less, in any order. Mutable, because it is
 * added to with every record. At most {@link #SHARDS_MAX} entries of some 200 bytes: of more, those
 * with the smallest identities stay, so that the choice depends on no order either.
 */
public final class HostShards {
    /** Most entries held. */
    public static final int SHARDS_MAX = 2_000;

    /**
     * One shard under one quota, seen by one run of the agent, hence under one kernel.
     *
     * @param shardId shard
     * @param agentEpoch start of the agent, microseconds since the Unix epoch
     * @param quotaUs quota, microseconds
     * @param periodUs period, microseconds
     */
    public record Key(long shardId, long agentEpoch, long quotaUs, long periodUs)
            implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparingLong(Key::shardId)
                        .thenComparingLong(Key::agentEpoch)
                        .thenComparingLong(Key::quotaUs)
                        .thenComparingLong(Key::periodUs);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private record Run(long shardId, long agentEpoch) {}

    private final TreeMap<Key, ShardHour> shards = new TreeMap<>();

    /** The shards; not to be written to. */
    public SortedMap<Key, ShardHour> shards() {
        return shards;
    }

    /** Adds one record; one without a quota says nothing about lost quota. */
    public void add(ShardWindow window) {
        if (window.bandwidth().quotaCores().isPresent()) {
            add(
                    new Key(
                            window.shardId(),
                            window.sender().agentEpoch(),
                            window.bandwidth().quotaUs().orElseThrow(),
                            window.bandwidth().periodUs().orElseThrow()),
                    ShardHour.of(window));
        }
    }

    /** Adds what was seen of one shard. */
    public void add(Key key, ShardHour seen) {
        shards.merge(key, seen, ShardHour::plus);
        if (shards.size() > SHARDS_MAX) {
            shards.pollLastEntry();
        }
    }

    /** Adds all of another. */
    public void merge(HostShards other) {
        other.shards.forEach(this::add);
    }

    /**
     * What the shards showed under each kernel.
     *
     * @param kernels kernel by run of the agent; runs that did not state theirs count to the host's
     *     only kernel, and to none when there are several
     * @param cpus CPUs of the host
     */
    public SortedMap<String, StrandedShards> byKernel(Map<Long, String> kernels, int cpus) {
        Set<String> releases = new HashSet<>(kernels.values());
        String only = releases.size() == 1 ? releases.iterator().next() : null;
        Set<Run> once = new HashSet<>();
        Set<Run> changed = new HashSet<>();
        for (Key key : shards.keySet()) {
            Run run = new Run(key.shardId(), key.agentEpoch());
            if (!once.add(run)) {
                changed.add(run);
            }
        }
        SortedMap<String, List<ShardHour>> judged = new TreeMap<>();
        SortedMap<String, Set<Run>> unjudged = new TreeMap<>();
        releases.forEach(release -> judged.put(release, new ArrayList<>()));
        releases.forEach(release -> unjudged.put(release, new HashSet<>()));
        for (Map.Entry<Key, ShardHour> entry : shards.entrySet()) {
            String release = kernels.getOrDefault(entry.getKey().agentEpoch(), only);
            if (release != null) {
                Run run = new Run(entry.getKey().shardId(), entry.getKey().agentEpoch());
                if (changed.contains(run)) {
                    unjudged.get(release).add(run);
                } else {
                    judged.get(release).add(entry.getValue());
                }
            }
        }
        SortedMap<String, StrandedShards> found = new TreeMap<>();
        judged.forEach(
                (release, seen) ->
                        found.put(
                                release,
                                StrandedShards.of(
                                        seen, unjudged.get(release).size(), Math.max(1, cpus))));
        return found;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostShards that && shards.equals(that.shards);
    }

    @Override
    public int hashCode() {
        return shards.hashCode();
    }
}
