package io.quotascope.domain.histogram;

import java.util.Arrays;

/**
 * Counts under construction: grows to the highest bucket seen and adds packed bytes without
 * unpacking them into objects. Any order of adding gives the same counts. Not for two threads at
 * once.
 */
public final class BucketTally {
    private long[] counts = new long[0];
    private long total;

    /** Counts members of one bucket. */
    public void add(int bucket, long members) {
        if (members < 0) {
            throw new IllegalArgumentException("not a count: " + members);
        }
        if (members > 0) {
            reserve(bucket + 1);
            counts[bucket] += members;
            total += members;
        }
    }

    /** Adds counts. */
    public void add(BucketCounts other) {
        reserve(other.end());
        other.addTo(counts);
        total += other.total();
    }

    /**
     * Adds packed bytes of a layout.
     *
     * @throws MalformedPackingException when they cannot be read; the tally is then unusable
     */
    public void addPacked(PackedBytes packed, BucketLayout layout) {
        PackedVarints numbers = new PackedVarints(packed.bytes());
        int bucketCount = layout.bucketCount();
        long bucket = 0;
        boolean first = true;
        while (numbers.hasNext()) {
            bucket = BucketCounts.nextBucket(numbers, bucket, first, bucketCount);
            first = false;
            add((int) bucket, BucketCounts.nextCount(numbers));
        }
        if (total > BucketCounts.TOTAL_MAX) {
            throw new MalformedPackingException(PackingFault.TOTAL_TOO_LARGE);
        }
    }

    /** Members so far. */
    public long total() {
        return total;
    }

    /** The counts so far; later additions do not change them. */
    public BucketCounts toCounts() {
        int end = counts.length;
        while (end > 0 && counts[end - 1] == 0) {
            end--;
        }
        return end == 0 ? BucketCounts.EMPTY : new BucketCounts(Arrays.copyOf(counts, end), total);
    }

    private void reserve(int buckets) {
        if (buckets > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(buckets, counts.length + (counts.length >> 1)));
        }
    }
}
