package io.quotascope.domain.risk;

/** Quantiles of the standard normal distribution, by bisection of its integral. */
final class NormalQuantile {
    private static final int STEPS = 200;

    private NormalQuantile() {}

    /** The value below which a share of the distribution lies; 0 < share < 1. */
    static double of(double share) {
        double low = -9;
        double high = 9;
        while (high - low > 1e-10) {
            double middle = (low + high) / 2;
            if (cumulative(middle) < share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Simpson's rule from 0. */
    private static double cumulative(double end) {
        double step = end / STEPS;
        double sum = 0;
        for (int point = 0; point <= STEPS; point++) {
            int weight = point == 0 || point == STEPS ? 1 : point % 2 == 1 ? 4 : 2;
            double at = point * step;
            sum += weight * StrictMath.exp(-at * at / 2);
        }
        return 0.5 + sum * step / 3 / Math.sqrt(2 * StrictMath.PI);
    }
}
