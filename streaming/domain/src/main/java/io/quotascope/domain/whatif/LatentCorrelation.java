package io.quotascope.domain.whatif;

import java.util.Arrays;

/**
 * Which correlation a standard normal variable must have so that a distribution drawn by its rank
 * has a wanted one: x = F(z) has the correlation sum over k of c_k^2 rho^k, with c_k the normalised
 * Hermite coefficients of F.
 */
final class LatentCorrelation {
    /** Latent correlations end here: a perfect one would freeze the series. */
    static final double MAX = 0.999;

    private static final int TERMS = 24;
    private static final double RANGE = 4.5;
    private static final double STEP = 0.02;
    private static final int POINTS = (int) (2 * RANGE / STEP) + 1;
    private static final double[] WEIGHT = new double[POINTS];
    private static final int[] CELL = new int[POINTS];

    static {
        for (int point = 0; point < POINTS; point++) {
            double z = at(point);
            WEIGHT[point] = STEP * 0.3989422804014327 * StrictMath.exp(-0.5 * z * z);
            CELL[point] = (int) Math.min(Marginal.CELLS - 1, NormalTable.below(z) * Marginal.CELLS);
        }
    }

    private final double[] shares;

    private LatentCorrelation(double[] shares) {
        this.shares = shares;
    }

    private static double at(int point) {
        return point * STEP - RANGE;
    }

    static LatentCorrelation of(Marginal marginal) {
        double[] coefficients = new double[TERMS + 1];
        double mean = 0.0;
        double square = 0.0;
        for (int point = 0; point < POINTS; point++) {
            double z = at(point);
            double weighted = WEIGHT[point] * marginal.cores(CELL[point]);
            mean += weighted;
            square += weighted * marginal.cores(CELL[point]);
            double before = 1.0;
            double hermite = z;
            for (int k = 1; k <= TERMS; k++) {
                coefficients[k] += weighted * hermite;
                double next =
                        (z * hermite - StrictMath.sqrt(k) * before) / StrictMath.sqrt(k + 1.0);
                before = hermite;
                hermite = next;
            }
        }
        return new LatentCorrelation(shares(coefficients, square - mean * mean));
    }

    private static double[] shares(double[] coefficients, double variance) {
        double[] shares = new double[TERMS + 1];
        if (!(variance > 0.0)) {
            shares[1] = 1.0;
            return shares;
        }
        double sum = 0.0;
        for (int k = 1; k <= TERMS; k++) {
            shares[k] = coefficients[k] * coefficients[k] / variance;
            sum += shares[k];
        }
        // Variance in finer detail than the terms reach acts like the last of them.
        shares[TERMS] += Math.max(0.0, 1.0 - sum);
        return shares;
    }

    /** Correlation of the values when the latent one is this. */
    double ofValues(double latent) {
        double sum = 0.0;
        for (int k = TERMS; k >= 1; k--) {
            sum = (sum + shares[k]) * latent;
        }
        return sum;
    }

    /** Latent correlation for a wanted one of the values; 0 for a negative one. */
    double latentFor(double ofValues) {
        if (!(ofValues > 0.0)) {
            return 0.0;
        }
        double low = 0.0;
        double high = MAX;
        for (int halving = 0; halving < 24; halving++) {
            double middle = 0.5 * (low + high);
            if (ofValues(middle) < ofValues) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return 0.5 * (low + high);
    }

    @Override
    public String toString() {
        return "LatentCorrelation" + Arrays.toString(shares);
    }
}
