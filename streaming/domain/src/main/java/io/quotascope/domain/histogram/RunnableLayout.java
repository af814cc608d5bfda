package io.quotascope.domain.histogram;

/**
 * Runnable threads in a sample of unthrottled time, 16 buckets: 0 .. 7 are exact, bucket 8 + j
 * holds [8 x 2^j, 16 x 2^j) threads, and the last one is open. Source:
 * schemas/cpu_usage_window.avsc, runnable_histogram.
 */
public final class RunnableLayout implements BucketLayout {
    /** The only instance; the layout has no parameters. */
    public static final RunnableLayout INSTANCE = new RunnableLayout();

    private static final int EXACT = 8;
    private static final int LAST = 15;

    private RunnableLayout() {}

    /**
     * The bucket of a count.
     *
     * @throws IllegalArgumentException when the count is negative
     */
    public static int bucket(long n) {
        if (n < 0) {
            throw new IllegalArgumentException("not a count: " + n);
        }
        if (n < EXACT) {
            return (int) n;
        }
        return Math.min(LAST, EXACT + 64 - Long.numberOfLeadingZeros(n) - 4);
    }

    @Override
    public int bucketCount() {
        return LAST + 1;
    }

    /**
     * Threads in the middle of the bucket: 12 x 2^j - 1/2; the lower edge (1024) for the open last
     * one.
     */
    @Override
    public double value(int bucket) {
        if (bucket < EXACT || bucket >= LAST) {
            return lowerBound(bucket);
        }
        return (12 << (bucket - EXACT)) - 0.5;
    }

    @Override
    public double lowerBound(int bucket) {
        return bucket < EXACT ? bucket : EXACT << (bucket - EXACT);
    }
}
