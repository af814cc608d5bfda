package io.quotascope.domain.savings;

import java.util.List;

/**
 * What a set of fixes does when all of them are made.
 *
 * @param fixes the set
 * @param gain load that the same reservation carries afterwards / now; at least 1 is worth making
 * @param gainLow 5th percentile
 * @param gainHigh 95th percentile
 * @param logDeviation standard error of the logarithm of the gain
 */
public record FixSet(
        List<Fix> fixes, double gain, double gainLow, double gainHigh, double logDeviation) {
    /** An immutable set. */
    public FixSet {
        fixes = List.copyOf(fixes);
    }

    /**
     * Share of the reservation that is no longer needed for the same load: 1 - 1/gain, never
     * negative.
     */
    public double savedShare() {
        return savedShare(gain);
    }

    static double savedShare(double gain) {
        return Math.max(0, 1 - 1 / gain);
    }

    /** Effort of all of them, days. */
    public double effortDays() {
        return fixes.stream().mapToDouble(fix -> fix.kind().effortDays()).sum();
    }

    /** Probability that all of them are made and stay. */
    public double successProbability() {
        return fixes.stream()
                .mapToDouble(fix -> fix.kind().successProbability())
                .reduce(1, (a, b) -> a * b);
    }
}
