package io.quotascope.domain.histogram;

/** The rank rule of every quantile in Quotascope, in integers: nearest rank, per mille. */
public final class Quantile {
    /** Median. */
    public static final int P50 = 500;

    /** 90th percentile. */
    public static final int P90 = 900;

    /** 99th percentile. */
    public static final int P99 = 990;

    /** 99.9th percentile. */
    public static final int P999 = 999;

    private Quantile() {}

    /**
     * The rank, from 1, that a quantile reads among total members: max(1, ceil(perMille x total /
     * 1000)).
     *
     * @param perMille 0 .. 1000
     * @param total 0 .. 2^53
     */
    public static long rank(int perMille, long total) {
        if (perMille < 0 || perMille > 1000 || total < 0 || total > 1L << 53) {
            throw new IllegalArgumentException(perMille + " per mille of " + total);
        }
        return Math.max(1, (perMille * total + 999) / 1000);
    }
}
