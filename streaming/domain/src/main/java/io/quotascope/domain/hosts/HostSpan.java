package io.quotascope.domain.hosts;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import java.util.OptionalLong;

/**
 * Windows of one host and of its shards over any time, added up in any order. Mutable, because it
 * is added to with every record.
 */
public final class HostSpan {
    private final HostKey key;
    private final HostTally tally;
    private final HostShards shards;

    /** Nothing of a host yet. */
    public HostSpan(HostKey key) {
        this(key, new HostTally(), new HostShards());
    }

    /** What was added before. */
    public HostSpan(HostKey key, HostTally tally, HostShards shards) {
        this.key = key;
        this.tally = tally;
        this.shards = shards;
    }

    /** Adds a window of a shard. */
    public void add(ShardWindow window, OptionalLong missingBefore) {
        tally.add(HostCounter.SHARD_RECORDS, 1);
        tally.add(HostCounter.MISSING_SHARD_RECORDS, missingBefore.orElse(0));
        shards.add(window);
    }

    /** Adds a window of the host. */
    public void add(HostReport report, OptionalLong missingBefore, Saturation saturation) {
        tally.add(report, missingBefore, saturation);
    }

    /** Adds all of another. */
    public void merge(HostSpan other) {
        tally.merge(other.tally);
        shards.merge(other.shards);
    }

    /** The host. */
    public HostKey key() {
        return key;
    }

    /** Counts. */
    public HostTally tally() {
        return tally;
    }

    /** Shards with a quota. */
    public HostShards shards() {
        return shards;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostSpan that
                && key.equals(that.key)
                && tally.equals(that.tally)
                && shards.equals(that.shards);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
