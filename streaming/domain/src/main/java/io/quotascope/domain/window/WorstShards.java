package io.quotascope.domain.window;

import java.util.ArrayList;
import java.util.List;

/**
 * At most five shards by their worst window, one entry a shard, the worst first. Forgetting the
 * sixth is safe: five other shards are worse than it whatever is added later. Mutable.
 */
final class WorstShards {
    private static final int KEPT = 5;

    private final List<WorstShard> worstFirst = new ArrayList<>(KEPT + 1);

    void add(ShardWindow window) {
        if (!isBetterThanAllKept(window)) {
            add(WorstShard.of(window));
        }
    }

    /** Spares the object for the many records of a service that is full of worse ones. */
    private boolean isBetterThanAllKept(ShardWindow window) {
        return worstFirst.size() == KEPT
                && window.throttling().throttledUs().orElse(0)
                        < worstFirst.get(KEPT - 1).throttledUs();
    }

    void add(WorstShard candidate) {
        for (int at = 0; at < worstFirst.size(); at++) {
            WorstShard kept = worstFirst.get(at);
            if (kept.shardId() == candidate.shardId()) {
                if (candidate.compareTo(kept) >= 0) {
                    return;
                }
                worstFirst.remove(at);
                break;
            }
        }
        int at = 0;
        while (at < worstFirst.size() && worstFirst.get(at).compareTo(candidate) < 0) {
            at++;
        }
        worstFirst.add(at, candidate);
        if (worstFirst.size() > KEPT) {
            worstFirst.remove(KEPT);
        }
    }

    List<WorstShard> toList() {
        return List.copyOf(worstFirst);
    }
}
