package io.quotascope.domain.histogram;

/**
 * Throttled periods / periods of one record: bucket 0 is exactly 0, 101 is 1 or more, and between
 * them a bucket is one hundredth wide. Source: schemas/README.md, section Packings.
 */
public final class RatioLayout implements BucketLayout {
    /** The only instance; the layout has no parameters. */
    public static final RatioLayout INSTANCE = new RatioLayout();

    private static final int FULL = 101;

    private RatioLayout() {}

    /**
     * The bucket of a ratio of two counts.
     *
     * @throws IllegalArgumentException when throttled is negative or beyond 2^56, or periods is not
     *     positive
     */
    public static int bucket(long throttled, long periods) {
        if (throttled < 0 || throttled > Long.MAX_VALUE / 100 || periods <= 0) {
            throw new IllegalArgumentException(throttled + " of " + periods);
        }
        if (throttled == 0) {
            return 0;
        }
        return throttled >= periods ? FULL : 1 + (int) (100 * throttled / periods);
    }

    @Override
    public int bucketCount() {
        return FULL + 1;
    }

    @Override
    public double value(int bucket) {
        if (bucket == 0) {
            return 0.0;
        }
        return bucket >= FULL ? 1.0 : (bucket - 0.5) / 100;
    }

    @Override
    public double lowerBound(int bucket) {
        return bucket == 0 ? 0.0 : (bucket - 1) / 100.0;
    }
}
