package io.quotascope.domain.whatif;

/**
 * Weights of independent Ornstein-Uhlenbeck processes whose sum has unit variance and, as nearly as
 * weights of no negative sign allow, given correlations at lags of 1, 2, 4 .. 128 samples.
 */
final class LatentMix {
    /** Time constants in samples; 0 is white noise. */
    private static final double[] TIME_CONSTANTS = {
        0.0, 0.7, 1.5, 3.0, 6.0, 12.0, 25.0, 50.0, 100.0, 200.0, 1000.0
    };

    /** Lags within a period of 100 ms decide about throttling; the sum of weights is 1. */
    private static final double[] IMPORTANCE = {2, 2, 2, 2, 1, 1, 1, 1};

    private static final double SUM_IMPORTANCE = 20;
    private static final int SWEEPS = 300;
    private static final double SETTLED = 1e-7;

    private LatentMix() {}

    /** Number of processes. */
    static int processes() {
        return TIME_CONSTANTS.length;
    }

    /** Correlation of a process with itself one sample later. */
    static double persistence(int process) {
        return TIME_CONSTANTS[process] == 0.0
                ? 0.0
                : StrictMath.exp(-1.0 / TIME_CONSTANTS[process]);
    }

    /**
     * Weights (shares of the variance) by non-negative least squares, coordinate by coordinate.
     *
     * @param correlations at lags of 1, 2, 4 ..; those not known do not count
     */
    static double[] fit(double[] correlations, boolean[] known) {
        int count = TIME_CONSTANTS.length;
        double[][] gram = new double[count][count];
        double[] right = new double[count];
        for (int j = 0; j < count; j++) {
            right[j] = SUM_IMPORTANCE;
            for (int k = 0; k < count; k++) {
                gram[j][k] = SUM_IMPORTANCE;
            }
        }
        for (int lag = 0; lag < correlations.length; lag++) {
            if (known[lag]) {
                addEquation(gram, right, lag, correlations[lag]);
            }
        }
        double[] weights = solve(gram, right);
        double sum = 0.0;
        for (double weight : weights) {
            sum += weight;
        }
        if (!(sum > 0.0)) {
            weights[0] = 1.0;
            return weights;
        }
        for (int j = 0; j < count; j++) {
            weights[j] /= sum;
        }
        return weights;
    }

    private static void addEquation(double[][] gram, double[] right, int lag, double target) {
        int count = right.length;
        double[] row = new double[count];
        for (int j = 1; j < count; j++) {
            row[j] = StrictMath.exp(-(1 << lag) / TIME_CONSTANTS[j]);
        }
        for (int j = 0; j < count; j++) {
            right[j] += IMPORTANCE[lag] * row[j] * target;
            for (int k = 0; k < count; k++) {
                gram[j][k] += IMPORTANCE[lag] * row[j] * row[k];
            }
        }
    }

    private static double[] solve(double[][] gram, double[] right) {
        int count = right.length;
        double[] weights = new double[count];
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            double moved = 0.0;
            for (int j = 0; j < count; j++) {
                double rest = right[j];
                for (int k = 0; k < count; k++) {
                    rest -= k == j ? 0.0 : gram[j][k] * weights[k];
                }
                double next = Math.max(0.0, rest / gram[j][j]);
                moved = Math.max(moved, Math.abs(next - weights[j]));
                weights[j] = next;
            }
            if (moved < SETTLED) {
                break;
            }
        }
        return weights;
    }
}
