package io.quotascope.domain.whatif;

/**
 * How CPU time per unit of work grows with concurrency (caches, locks, shared execution units): at
 * c cores a unit costs 1 + kappa x max(0, c / reference - 1).
 *
 * @param kappa growth per reference, 0 = none
 * @param referenceCores concurrency at which demand was priced, usually the quota cores
 */
public record CostGrowth(double kappa, double referenceCores) {
    /** Work costs the same at any concurrency. */
    public static final CostGrowth NONE = new CostGrowth(0.0, 1.0);

    /**
     * A growth that never makes work cheaper.
     *
     * @throws IllegalArgumentException when kappa is negative or the reference not positive
     */
    public CostGrowth {
        if (!(kappa >= 0.0 && kappa <= 100.0 && referenceCores > 0.0)) {
            throw new IllegalArgumentException("kappa " + kappa + " at " + referenceCores);
        }
    }

    /** CPU time per unit of work at a concurrency. */
    public double at(double cores) {
        return 1.0 + kappa * Math.max(0.0, cores / referenceCores - 1.0);
    }
}
