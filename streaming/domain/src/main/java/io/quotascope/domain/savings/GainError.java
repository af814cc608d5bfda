package io.quotascope.domain.savings;

import java.util.List;

/**
 * How far the replayed gain of a set of fixes is off, without the spread over demand draws: root
 * mean square of ln (replayed gain / real gain) on 29 development services whose real gain from a
 * cap and from smaller pools was simulated (docs/journal/2026-11-22-cliff-bounds.md).
 */
final class GainError {
    private static final double POOLS_PRICED = 0.14;
    private static final double POOLS_PRIOR = 0.15;
    private static final double CAP_PRICED = 0.22;
    private static final double CAP_PRIOR = 0.23;

    /** Burst and period were not simulated: the prototype's errors. */
    private static final double OTHER_PRICED = 0.18;

    private static final double OTHER_PRIOR = 0.35;

    private GainError() {}

    /**
     * Standard error of the logarithm. Pools decide what a set with them gains; else a cap does.
     */
    static double logDeviation(List<Fix> fixes, boolean priceMeasured) {
        boolean pools = fixes.stream().anyMatch(fix -> fix.kind() == FixKind.POOLS);
        if (pools) {
            return priceMeasured ? POOLS_PRICED : POOLS_PRIOR;
        }
        // A cap and whole CPUs take the quota away.
        if (fixes.stream().anyMatch(Fix::withoutQuota)) {
            return priceMeasured ? CAP_PRICED : CAP_PRIOR;
        }
        return priceMeasured ? OTHER_PRICED : OTHER_PRIOR;
    }
}
