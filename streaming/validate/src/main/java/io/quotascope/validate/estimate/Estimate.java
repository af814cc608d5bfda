package io.quotascope.validate.estimate;

/**
 * An answer.
 *
 * @param value best guess
 * @param low 5th percentile
 * @param high 95th percentile
 */
public record Estimate(double value, double low, double high) {
    /**
     * Numbers in order.
     *
     * @throws IllegalArgumentException when one is not finite or low exceeds high
     */
    public Estimate {
        if (!(low <= high)
                || Double.isInfinite(low)
                || Double.isInfinite(high)
                || !Double.isFinite(value)) {
            throw new IllegalArgumentException(
                    "no estimate: " + value + " in " + low + ".." + high);
        }
    }

    /** A guess that claims to be exact. */
    public static Estimate exactly(double value) {
        return new Estimate(value, value, value);
    }
}
