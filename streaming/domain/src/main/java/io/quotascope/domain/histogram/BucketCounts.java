package io.quotascope.domain.histogram;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How many members each bucket holds. Immutable; {@link BucketTally} builds one. It does not know
 * its layout: the field that holds it does.
 */
public final class BucketCounts {
    /** Nothing counted. */
    public static final BucketCounts EMPTY = new BucketCounts(new long[0], 0);

    /** Largest total: beyond it a count would no longer be exact as a double. */
    public static final long TOTAL_MAX = 1L << 53;

    private final long[] counts;
    private final long total;

    /** Takes the array, which ends with a non-empty bucket. */
    BucketCounts(long[] counts, long total) {
        this.counts = counts;
        this.total = total;
    }

    /**
     * Reads packed bytes.
     *
     * @throws MalformedPackingException when {@link #check} would name a fault
     */
    public static BucketCounts unpack(PackedBytes packed, BucketLayout layout) {
        BucketTally tally = new BucketTally();
        tally.addPacked(packed, layout);
        return tally.toCounts();
    }

    /**
     * Reads packed bytes without keeping their counts: how many members they hold, or why they
     * cannot be read.
     */
    public static PackingCheck check(PackedBytes packed, BucketLayout layout) {
        try {
            return new PackingCheck.Holds(checkedTotal(packed, layout));
        } catch (MalformedPackingException malformed) {
            return new PackingCheck.Broken(malformed.fault());
        }
    }

    private static long checkedTotal(PackedBytes packed, BucketLayout layout) {
        PackedVarints numbers = new PackedVarints(packed.bytes());
        int bucketCount = layout.bucketCount();
        long bucket = 0;
        long total = 0;
        boolean first = true;
        while (numbers.hasNext()) {
            bucket = nextBucket(numbers, bucket, first, bucketCount);
            first = false;
            total += nextCount(numbers);
            if (total > TOTAL_MAX) {
                throw new MalformedPackingException(PackingFault.TOTAL_TOO_LARGE);
            }
        }
        return total;
    }

    static long nextBucket(PackedVarints numbers, long previous, boolean first, int bucketCount) {
        long step = numbers.next();
        if (step == 0 && !first) {
            throw new MalformedPackingException(PackingFault.BUCKET_NOT_ASCENDING);
        }
        if (step >= bucketCount - previous) {
            throw new MalformedPackingException(PackingFault.BUCKET_OUT_OF_LAYOUT);
        }
        return previous + step;
    }

    static long nextCount(PackedVarints numbers) {
        if (!numbers.hasNext()) {
            throw new MalformedPackingException(PackingFault.COUNT_MISSING);
        }
        long count = numbers.next();
        if (count == 0) {
            throw new MalformedPackingException(PackingFault.ZERO_COUNT);
        }
        if (count > TOTAL_MAX) {
            throw new MalformedPackingException(PackingFault.TOTAL_TOO_LARGE);
        }
        return count;
    }

    /** Members in all buckets. */
    public long total() {
        return total;
    }

    /** True when nothing was counted. */
    public boolean isEmpty() {
        return total == 0;
    }

    /** Members in one bucket. */
    public long count(int bucket) {
        return bucket < counts.length ? counts[bucket] : 0;
    }

    /** One more than the highest non-empty bucket; 0 when empty. */
    public int end() {
        return counts.length;
    }

    /** The counts of both. */
    public BucketCounts plus(BucketCounts other) {
        BucketTally tally = new BucketTally();
        tally.add(this);
        tally.add(other);
        return tally.toCounts();
    }

    /**
     * The value of the first bucket whose cumulated count reaches the rank of the quantile. Absent
     * when nothing was counted.
     */
    public OptionalDouble quantile(int perMille, BucketLayout layout) {
        if (isEmpty()) {
            return OptionalDouble.empty();
        }
        long rank = Quantile.rank(perMille, total);
        long cumulated = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            cumulated += counts[bucket];
            if (cumulated >= rank) {
                return OptionalDouble.of(layout.value(bucket));
            }
        }
        throw new IllegalStateException("the counts do not add up to " + total);
    }

    /** Pairs of (step to the bucket, count) for the non-empty buckets, ascending, as varints. */
    public PackedBytes pack() {
        byte[] packed = new byte[packedSize()];
        int at = 0;
        int previous = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] != 0) {
                at = PackedVarints.write(packed, at, bucket - previous);
                at = PackedVarints.write(packed, at, counts[bucket]);
                previous = bucket;
            }
        }
        return PackedBytes.of(packed);
    }

    private int packedSize() {
        int size = 0;
        int previous = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] != 0) {
                size +=
                        PackedVarints.sizeOf(bucket - previous)
                                + PackedVarints.sizeOf(counts[bucket]);
                previous = bucket;
            }
        }
        return size;
    }

    void addTo(long[] target) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            target[bucket] += counts[bucket];
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BucketCounts that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] != 0) {
                text.append(text.length() == 1 ? "" : ", ")
                        .append(bucket)
                        .append(": ")
                        .append(counts[bucket]);
            }
        }
        return text.append('}').toString();
    }
}
