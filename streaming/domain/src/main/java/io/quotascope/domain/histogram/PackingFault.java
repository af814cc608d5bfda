package io.quotascope.domain.histogram;

/**
 * Why packed bytes cannot be read. The name in lower case is the reason in the golden must-reject
 * vectors.
 */
public enum PackingFault {
    /** The bytes end inside a varint. */
    TRUNCATED_VARINT,
    /** A varint needs more bits than its field may have. */
    VARINT_TOO_LARGE,
    /** A histogram holds a bucket without a count. */
    COUNT_MISSING,
    /** A bucket is packed although it is empty. */
    ZERO_COUNT,
    /** A bucket is not above the one before it. */
    BUCKET_NOT_ASCENDING,
    /** A bucket lies beyond the layout. */
    BUCKET_OUT_OF_LAYOUT,
    /** The counts add up to more than 2^53. */
    TOTAL_TOO_LARGE,
    /** A list of sums has fewer or more numbers than its definition. */
    WRONG_NUMBER_COUNT
}
