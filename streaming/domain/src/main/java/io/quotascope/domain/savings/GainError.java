package io.quotascope.domain.savings;

import java.util.List;

/**
 * How far the replayed gain of a set of fixes is off: ln (real gain / replayed gain) of development
 * services whose real gain from a cap and from smaller pools was simulated ({@code make
 * fit-savings}). On few cores a cap gains less than its replay: few servers queue more, and a fluid
 * does not queue.
 *
 * @param intercept middle of the error on one core
 * @param perLogCores what the middle grows with ln cores
 * @param logDeviation standard error around that middle, the usual spread over demand draws
 *     included
 */
record GainError(double intercept, double perLogCores, double logDeviation) {
    private static final GainError POOLS_PRICED = pools(0.125);
    private static final GainError POOLS_PRIOR = pools(0.146);
    private static final GainError CAP_PRICED = cap(0.127);
    private static final GainError CAP_PRIOR = cap(0.150);

    /** Burst and period were not simulated: the prototype's errors. */
    private static final GainError OTHER_PRICED = new GainError(0, 0, 0.18);

    private static final GainError OTHER_PRIOR = new GainError(0, 0, 0.35);

    /** The services of the fit had between so many cores; beyond, the nearer end counts. */
    private static final double CORES_MIN = 5;

    private static final double CORES_MAX = 20;

    private static GainError pools(double deviation) {
        return new GainError(-0.330, 0.140, deviation);
    }

    private static GainError cap(double deviation) {
        return new GainError(-0.566, 0.179, deviation);
    }

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

    /** Middle of ln (real gain / replayed gain) of a shard with so many cores. */
    double middle(double cores) {
        double fitted = Math.max(CORES_MIN, Math.min(CORES_MAX, cores));
        return intercept + perLogCores * StrictMath.log(fitted);
    }
}
