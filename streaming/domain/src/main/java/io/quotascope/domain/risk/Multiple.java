package io.quotascope.domain.risk;

/**
 * A multiple of today's load, with its interval.
 *
 * @param value the estimate; where the search ended without an answer, the end of its range
 * @param low 5th percentile
 * @param high 95th percentile
 * @param beyond true when the estimate lies beyond the range of the search
 */
public record Multiple(double value, double low, double high, boolean beyond) {
    /** The same seen from another load: at twice the load half the multiple is left. */
    public Multiple dividedBy(double growth) {
        return new Multiple(value / growth, low / growth, high / growth, beyond);
    }

    /** The same, nowhere above another. */
    Multiple atMost(Multiple other) {
        return new Multiple(
                Math.min(value, other.value),
                Math.min(low, other.low),
                Math.min(high, other.high),
                beyond && other.beyond);
    }
}
