package io.quotascope.domain.savings;

/**
 * How much dearer work gets with concurrency, and how we know.
 *
 * @param value growth per quota of cores ({@code CostGrowth})
 * @param measured true when requests or hardware counters gave it, false when it is the prior
 */
public record Kappa(double value, boolean measured) {
    /**
     * The prior, 0.4: the one value that gives the published figures at once (failure near 40 % of
     * the quota, 1.6 to 2 times the load after tuning; Luu, "The container throttling problem").
     * 0.2 to 0.6 are plausible.
     */
    public static final Kappa PRIOR = new Kappa(0.4, false);
}
