package io.quotascope.domain.savings;

import java.util.List;

/**
 * How far the replayed gain of a set of fixes is off: ln (real gain / replayed gain) of 29
 * development services whose real gain from a cap and from smaller pools was simulated
 * (docs/journal/2026-11-22-cliff-bounds.md).
 *
 * @param middle its middle; the replay itself is left as it is, since a saving must not exceed it
 * @param logDeviation its standard error, without the spread over demand draws
 */
record GainError(double middle, double logDeviation) {
    private static final GainError POOLS_PRICED = new GainError(0.06, 0.15);
    private static final GainError POOLS_PRIOR = new GainError(0.06, 0.16);
    private static final GainError CAP_PRICED = new GainError(-0.115, 0.18);
    private static final GainError CAP_PRIOR = new GainError(-0.115, 0.21);

    /** Burst and period were not simulated: the prototype's errors. */
    private static final GainError OTHER_PRICED = new GainError(0, 0.18);

    private static final GainError OTHER_PRIOR = new GainError(0, 0.35);

    /** Pools decide what a set with them gains; else a cap does. */
    static GainError of(List<Fix> fixes, boolean priceMeasured) {
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
