package io.quotascope.domain.whatif;

import java.util.Arrays;

/**
 * How much work waited how long: weights over log-linear buckets of 16 to the octave, in units of
 * 0.1 ms, so that a percentile is at most 3.1 % from a member of its bucket. Mutable, reusable.
 */
final class DelayTally {
    private static final int UNIT_US = 100;
    private static final int EXACT = 16;
    private static final int BUCKETS = 16 * 40;

    private final double[] weights = new double[BUCKETS];
    private double total;

    void reset() {
        Arrays.fill(weights, 0.0);
        total = 0.0;
    }

    void add(double delayUs, double weight) {
        if (weight > 0.0) {
            weights[bucket((long) (delayUs / UNIT_US))] += weight;
            total += weight;
        }
    }

    /** The value of the first bucket at which so much of the weight is reached; 0 when empty. */
    double quantile(double share) {
        double rank = share * total;
        double cumulated = 0.0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            cumulated += weights[bucket];
            if (cumulated >= rank && cumulated > 0.0) {
                return valueUs(bucket);
            }
        }
        return 0.0;
    }

    ReplayOutcome.Percentiles percentiles() {
        return new ReplayOutcome.Percentiles(quantile(0.5), quantile(0.9), quantile(0.99));
    }

    private static int bucket(long units) {
        if (units < EXACT) {
            return (int) Math.max(0, units);
        }
        int e = 59 - Long.numberOfLeadingZeros(units);
        return Math.min(BUCKETS - 1, EXACT * e + (int) (units >> e));
    }

    private static double valueUs(int bucket) {
        if (bucket == 0) {
            return 0.0;
        }
        if (bucket < 2 * EXACT) {
            return (bucket + 0.5) * UNIT_US;
        }
        int e = bucket / EXACT - 1;
        return ((bucket % EXACT + EXACT + 0.5) * (1L << e)) * UNIT_US;
    }
}
