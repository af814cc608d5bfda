package io.quotascope.domain.load;

import io.quotascope.domain.histogram.Quantile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Requests by latency, in the buckets of whoever counted them: they are kept as they come, because
 * to put them into other buckets would make up where in a bucket they lie.
 *
 * @param boundsUs upper bounds, inclusive, ascending, microseconds
 * @param requests requests in each bucket; one more than bounds, the last one is open
 */
public record LatencyCounts(List<Long> boundsUs, List<Long> requests) {
    /** No latencies. */
    public static final LatencyCounts NONE = new LatencyCounts(List.of(), List.of());

    /**
     * Buckets in order.
     *
     * @throws IllegalArgumentException when bounds do not rise, a count is negative or the numbers
     *     of both do not fit
     */
    public LatencyCounts {
        boundsUs = List.copyOf(boundsUs);
        requests = List.copyOf(requests);
        if (requests.size() != (boundsUs.isEmpty() ? 0 : boundsUs.size() + 1)) {
            throw new IllegalArgumentException(
                    boundsUs.size() + " latency bounds need one count more, found " + requests);
        }
        long before = 0;
        for (long bound : boundsUs) {
            if (bound <= before) {
                throw new IllegalArgumentException("latency bounds must rise: " + boundsUs);
            }
            before = bound;
        }
        if (requests.stream().anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException("latency counts must not be negative: " + requests);
        }
    }

    /** True when no latencies are told. */
    public boolean isEmpty() {
        return boundsUs.isEmpty();
    }

    /** Requests in all buckets. */
    public long total() {
        return requests.stream().mapToLong(Long::longValue).sum();
    }

    /** The counts of both; absent buckets count nothing. Different buckets do not add. */
    public LatencyCounts plus(LatencyCounts other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        if (!boundsUs.equals(other.boundsUs)) {
            throw new IllegalArgumentException(
                    "buckets differ: " + boundsUs + " and " + other.boundsUs);
        }
        List<Long> sums = new ArrayList<>();
        for (int bucket = 0; bucket < requests.size(); bucket++) {
            sums.add(requests.get(bucket) + other.requests.get(bucket));
        }
        return new LatencyCounts(boundsUs, sums);
    }

    /**
     * A quantile, microseconds, taken as if the members of a bucket lay evenly in it. Absent when
     * nothing was counted or the quantile lies in the open bucket, where it has no bound.
     */
    public OptionalDouble quantileUs(int perMille) {
        long total = total();
        if (total == 0) {
            return OptionalDouble.empty();
        }
        long rank = Quantile.rank(perMille, total);
        long cumulated = 0;
        double lower = 0;
        for (int bucket = 0; bucket < boundsUs.size(); bucket++) {
            long count = requests.get(bucket);
            if (cumulated + count >= rank) {
                double share = (rank - cumulated) / (double) count;
                return OptionalDouble.of(lower + share * (boundsUs.get(bucket) - lower));
            }
            cumulated += count;
            lower = boundsUs.get(bucket);
        }
        return OptionalDouble.empty();
    }
}
