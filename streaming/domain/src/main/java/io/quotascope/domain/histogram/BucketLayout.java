package io.quotascope.domain.histogram;

/** Which values a bucket stands for. A layout never changes; another one gets another version. */
public interface BucketLayout {
    /** Number of buckets: valid ones are 0 .. bucketCount - 1. */
    int bucketCount();

    /** The value that quantiles report for a bucket, in the unit of the layout. */
    double value(int bucket);

    /** The lower edge of a bucket, in the unit of the layout. */
    double lowerBound(int bucket);
}
