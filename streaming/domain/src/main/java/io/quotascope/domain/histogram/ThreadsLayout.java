package io.quotascope.domain.histogram;

/**
 * Counts of threads: exact below 32, then 16 buckets to the octave. Source: schemas/README.md,
 * section Packings, "Integer layout".
 */
public final class ThreadsLayout implements BucketLayout {
    /** The only instance; the layout has no parameters. */
    public static final ThreadsLayout INSTANCE = new ThreadsLayout();

    private static final int PER_OCTAVE = 16;
    private static final int LAST_OCTAVE = 63 - 5;

    private ThreadsLayout() {}

    /**
     * The bucket of a count.
     *
     * @throws IllegalArgumentException when the count is negative
     */
    public static int bucket(long n) {
        if (n < 0) {
            throw new IllegalArgumentException("not a count: " + n);
        }
        if (n < PER_OCTAVE) {
            return (int) n;
        }
        int e = 64 - Long.numberOfLeadingZeros(n) - 5;
        return PER_OCTAVE * e + (int) (n >> e);
    }

    @Override
    public int bucketCount() {
        return PER_OCTAVE * LAST_OCTAVE + 2 * PER_OCTAVE;
    }

    /** Threads in the middle of the bucket: s 2^e + (2^e - 1) / 2. */
    @Override
    public double value(int bucket) {
        int e = octave(bucket);
        return lowerBound(bucket) + ((1L << e) - 1) / 2.0;
    }

    @Override
    public double lowerBound(int bucket) {
        int e = octave(bucket);
        return (double) ((long) (bucket - PER_OCTAVE * e) << e);
    }

    private static int octave(int bucket) {
        return bucket < 2 * PER_OCTAVE ? 0 : bucket / PER_OCTAVE - 1;
    }
}
