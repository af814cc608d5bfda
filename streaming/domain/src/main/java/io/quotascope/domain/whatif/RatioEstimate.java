package io.quotascope.domain.whatif;

/**
 * A ratio with its interval.
 *
 * @param value 0 .. 1
 * @param low 5th percentile
 * @param high 95th percentile
 */
public record RatioEstimate(double value, double low, double high) {
    /** The same value in a wider interval. */
    RatioEstimate widened(double by) {
        return new RatioEstimate(value, Math.max(0.0, low - by), Math.min(1.0, high + by));
    }

    /**
     * Ordered and within 0 .. 1.
     *
     * @throws IllegalArgumentException otherwise
     */
    public RatioEstimate {
        if (!(0.0 <= low && low <= value && value <= high && high <= 1.0)) {
            throw new IllegalArgumentException(low + " <= " + value + " <= " + high);
        }
    }
}
