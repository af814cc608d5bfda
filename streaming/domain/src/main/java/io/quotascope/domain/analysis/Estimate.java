package io.quotascope.domain.analysis;

/**
 * A quantity with its interval.
 *
 * @param value the estimate
 * @param low 5th percentile
 * @param high 95th percentile
 */
public record Estimate(double value, double low, double high) {
    /** The same in another unit. */
    public Estimate times(double factor) {
        return new Estimate(value * factor, low * factor, high * factor);
    }
}
