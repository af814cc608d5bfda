package io.quotascope.domain.whatif;

import io.quotascope.domain.histogram.SecondOrderSums;
import java.math.BigInteger;

/**
 * Variance and autocovariance of used cores, square cores.
 *
 * @param variance of the samples
 * @param covariance at lags of 1, 2, 4 .. 128 samples; 0 where not known
 * @param known which lags were measured
 */
public record TimeStructure(double variance, double[] covariance, boolean[] known) {
    /** Number of lags. */
    public static final int LAGS = SecondOrderSums.LAGS;

    private static final double UNITS_PER_CORE = 256.0;

    /** Arrays apart from the caller's. */
    public TimeStructure {
        covariance = covariance.clone();
        known = known.clone();
    }

    /** From exact sums; all zero when they hold no sample. */
    public static TimeStructure of(SecondOrderSums sums) {
        double[] covariance = new double[LAGS];
        boolean[] known = new boolean[LAGS];
        double samples = sums.samples().doubleValue();
        if (samples == 0.0) {
            return new TimeStructure(0.0, covariance, known);
        }
        double mean = sums.sum().doubleValue() / (UNITS_PER_CORE * samples);
        double variance = perPair(sums.sumOfSquares(), sums.samples()) - mean * mean;
        for (int lag = 0; lag < LAGS; lag++) {
            known[lag] = sums.pairs(lag).signum() > 0;
            if (known[lag]) {
                covariance[lag] = perPair(sums.sumOfProducts(lag), sums.pairs(lag)) - mean * mean;
            }
        }
        return new TimeStructure(Math.max(0.0, variance), covariance, known);
    }

    private static double perPair(BigInteger sum, BigInteger pairs) {
        return sum.doubleValue() / (UNITS_PER_CORE * UNITS_PER_CORE * pairs.doubleValue());
    }

    /** Whether any lag was measured. */
    public boolean isKnown() {
        for (boolean lag : known) {
            if (lag) {
                return true;
            }
        }
        return false;
    }
}
