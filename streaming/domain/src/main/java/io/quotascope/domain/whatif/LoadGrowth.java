package io.quotascope.domain.whatif;

/**
 * A series of demand at any multiple of its load. Searches ask for many multiples of one series:
 * what those share is worked out once. Immutable.
 */
public final class LoadGrowth {
    /** Slots of the moving mean that separates common swings from chance: 0.5 s. */
    private static final int SLOW_SLOTS = 50;

    private final DemandSeries demand;
    private final double[] slow;
    private final double meanCores;

    /** Growth of this series. */
    public LoadGrowth(DemandSeries demand) {
        this.demand = demand;
        this.slow = DemandSeries.movingMean(demand.toArray(), SLOW_SLOTS);
        this.meanCores = demand.meanCores();
    }

    /** The demand at a multiple of the load, when arrivals beyond common swings are independent. */
    public DemandSeries at(double multiple) {
        return at(multiple, DemandSeries.INDEPENDENT);
    }

    /**
     * The demand at a multiple of the load: the moving mean over 0.5 s grows as the load, the rest
     * as load^exponent. What falls below zero is cut, and the mean is kept at the multiple.
     *
     * @param exponent 0.5 when what is faster than 0.5 s is chance, 1 when it all grows together
     * @throws IllegalArgumentException when the multiple is negative or the exponent outside 0..1
     */
    public DemandSeries at(double multiple, double exponent) {
        if (!(multiple >= 0.0 && multiple <= Double.MAX_VALUE && exponent >= 0 && exponent <= 1)) {
            throw new IllegalArgumentException("load " + multiple + " exponent " + exponent);
        }
        double spread = StrictMath.pow(multiple, exponent);
        double[] grown = new double[slow.length];
        double sum = 0.0;
        for (int slot = 0; slot < grown.length; slot++) {
            double common = slow[slot];
            double wanted = multiple * common + spread * (demand.cores(slot) - common);
            grown[slot] = wanted > 0.0 ? wanted : 0.0;
            sum += grown[slot];
        }
        if (sum > 0.0) {
            double kept = multiple * meanCores / (sum / grown.length);
            for (int slot = 0; slot < grown.length; slot++) {
                grown[slot] *= kept;
            }
        }
        return DemandSeries.taking(grown, demand.provenance());
    }
}
