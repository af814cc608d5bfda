package io.quotascope.domain.whatif;

import java.util.Arrays;

/** Counts values fast and gives equally likely ones back: 32 buckets to the octave. Mutable. */
final class UsageTally {
    /** Exponent bits and the five highest bits of the fraction name the bucket. */
    private static final int SHIFT = 47;

    private static final long FIRST = Double.doubleToRawLongBits(0x1p-10) >>> SHIFT;
    private static final int BUCKETS = 32 * 24;

    private final int[] counts = new int[BUCKETS + 1];
    private int total;

    void reset() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    void add(double cores) {
        long bucket = (Double.doubleToRawLongBits(cores) >>> SHIFT) - FIRST + 1;
        counts[(int) Math.max(0, Math.min(BUCKETS, bucket))]++;
        total++;
    }

    /** As many equally likely values as the array has room for, ascending. */
    void quantiles(double[] into) {
        double below = 0.0;
        int bucket = 0;
        for (int cell = 0; cell < into.length; cell++) {
            double rank = (cell + 0.5) / into.length * total;
            while (bucket < BUCKETS && below + counts[bucket] < rank) {
                below += counts[bucket];
                bucket++;
            }
            double within = Math.min(1.0, (rank - below) / Math.max(1, counts[bucket]));
            double low = lowerBound(bucket);
            into[cell] = bucket == 0 ? 0.0 : low + within * (lowerBound(bucket + 1) - low);
        }
    }

    private static double lowerBound(int bucket) {
        return Double.longBitsToDouble((bucket - 1 + FIRST) << SHIFT);
    }
}
