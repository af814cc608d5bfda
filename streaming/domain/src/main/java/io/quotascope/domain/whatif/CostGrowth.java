package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuCost;

/**
 * How CPU time per unit of work grows with concurrency (caches, locks, shared execution units), as
 * the fluid sees it: {@link CpuCost} with the cores that run, which need not be whole.
 *
 * @param law the formula
 */
public record CostGrowth(CpuCost law) {
    /** Work costs the same at any concurrency. */
    public static final CostGrowth NONE = new CostGrowth(CpuCost.CONSTANT);

    /**
     * A growth that never makes work cheaper.
     *
     * @param kappa growth per reference, 0 = none
     * @param referenceCores concurrency at which demand was priced, usually the quota cores
     * @throws IllegalArgumentException when kappa is negative or the reference not positive
     */
    public CostGrowth(double kappa, double referenceCores) {
        this(new CpuCost(kappa, referenceCores));
    }

    /** Growth per reference, 0 = none. */
    public double kappa() {
        return law.kappa();
    }

    /** CPU time per unit of work at a concurrency. */
    public double at(double cores) {
        return law.at(cores);
    }

    /**
     * Cores that use so much when their work is worth {@code work} cores at the price of none: used
     * / at(used) = work. Where work cannot be told from use (kappa of 1 or more), the work.
     */
    double used(double work) {
        double reference = law.referenceCores();
        if (work <= reference || kappa() >= 1.0) {
            return work;
        }
        double left = 1.0 - kappa() * work / reference;
        return left > 0.0 ? work * (1.0 - kappa()) / left : work;
    }
}
