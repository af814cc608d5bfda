package io.quotascope.domain.window;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Threads over the records of a row.
 *
 * @param records records that state threads
 * @param sum sum of threads over them
 * @param max largest threads of a record; 0 without records
 */
public record ThreadSums(long records, long sum, long max) {
    /** No record. */
    public static final ThreadSums ZERO = new ThreadSums(0, 0, 0);

    ThreadSums plus(OptionalLong threads) {
        if (threads.isEmpty()) {
            return this;
        }
        long stated = threads.getAsLong();
        return new ThreadSums(records + 1, Saturating.plus(sum, stated), Math.max(max, stated));
    }

    /** The sums of both. */
    public ThreadSums plus(ThreadSums other) {
        return new ThreadSums(
                Saturating.plus(records, other.records),
                Saturating.plus(sum, other.sum),
                Math.max(max, other.max));
    }

    /** Mean threads of a shard. Absent when no record states them. */
    public OptionalDouble perShard() {
        return records == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / (double) records);
    }
}
