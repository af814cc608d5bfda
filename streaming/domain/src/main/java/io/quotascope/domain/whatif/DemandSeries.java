package io.quotascope.domain.whatif;

import java.util.Arrays;

/**
 * Cores that a shard wanted in each slot of 10 ms, in time order: what it would have used had
 * nothing held it back. Immutable.
 */
public final class DemandSeries {
    /** Length of a slot, microseconds. */
    public static final long SLOT_US = 10_000;

    /** How variance grows with load when arrivals are independent: as the load itself. */
    public static final double INDEPENDENT = 0.5;

    /** Where a series comes from. */
    public enum Provenance {
        /** Decoded from the raw samples of one window. */
        EXEMPLAR,
        /** Drawn from the distribution and the time structure of many windows. */
        SYNTHETIC,
        /** Recorded or simulated slot by slot. */
        RECORDED
    }

    private final double[] cores;
    private final Provenance provenance;

    private DemandSeries(double[] cores, Provenance provenance) {
        this.cores = cores;
        this.provenance = provenance;
    }

    /**
     * A series of these slots.
     *
     * @throws IllegalArgumentException when there is no slot, or one is negative or not finite
     */
    public static DemandSeries of(double[] cores, Provenance provenance) {
        if (cores.length == 0) {
            throw new IllegalArgumentException("a demand series needs a slot");
        }
        for (double slot : cores) {
            if (!(slot >= 0.0 && slot <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("cores must be finite and >= 0: " + slot);
            }
        }
        return new DemandSeries(cores.clone(), provenance);
    }

    /** Takes the array, whose slots are known to be sound. */
    static DemandSeries taking(double[] cores, Provenance provenance) {
        return new DemandSeries(cores, provenance);
    }

    /** Number of slots. */
    public int slots() {
        return cores.length;
    }

    /** Cores wanted in one slot. */
    public double cores(int slot) {
        return cores[slot];
    }

    /** All slots, apart from these. */
    public double[] toArray() {
        return cores.clone();
    }

    /** Where the series comes from. */
    public Provenance provenance() {
        return provenance;
    }

    /** Mean of all slots. */
    public double meanCores() {
        double sum = 0.0;
        for (double slot : cores) {
            sum += slot;
        }
        return sum / cores.length;
    }

    /** Largest slot. */
    public double maxCores() {
        double max = 0.0;
        for (double slot : cores) {
            max = Math.max(max, slot);
        }
        return max;
    }

    /**
     * Every slot times a factor.
     *
     * @throws IllegalArgumentException when the factor is negative or not finite
     */
    public DemandSeries times(double factor) {
        double[] scaled = new double[cores.length];
        for (int slot = 0; slot < cores.length; slot++) {
            scaled[slot] = factor * cores[slot];
        }
        return of(scaled, provenance);
    }

    /**
     * Slot by slot the sum of two series.
     *
     * @throws IllegalArgumentException when their lengths differ
     */
    public DemandSeries plus(DemandSeries other) {
        if (other.cores.length != cores.length) {
            throw new IllegalArgumentException(
                    "series of " + cores.length + " and " + other.cores.length + " slots");
        }
        double[] sum = new double[cores.length];
        for (int slot = 0; slot < cores.length; slot++) {
            sum[slot] = cores[slot] + other.cores[slot];
        }
        return new DemandSeries(
                sum, provenance == other.provenance ? provenance : Provenance.SYNTHETIC);
    }

    /** The demand at a multiple of the load, when arrivals beyond common swings are independent. */
    public DemandSeries atLoad(double multiple) {
        return atLoad(multiple, INDEPENDENT);
    }

    /**
     * The demand at a multiple of the load.
     *
     * @see LoadGrowth#at(double, double)
     */
    public DemandSeries atLoad(double multiple, double exponent) {
        return new LoadGrowth(this).at(multiple, exponent);
    }

    /**
     * The same work at the price of no concurrency: every slot divided by what its own concurrency
     * made it cost.
     */
    public DemandSeries pricedAt(CostGrowth cost) {
        double[] priced = new double[cores.length];
        for (int slot = 0; slot < cores.length; slot++) {
            priced[slot] = cores[slot] / cost.at(cores[slot]);
        }
        return new DemandSeries(priced, provenance);
    }

    /** Mean use of work at the price of no concurrency: what {@link #pricedAt} took off is back. */
    public double meanUsedAt(CostGrowth cost) {
        double sum = 0.0;
        for (double slot : cores) {
            sum += cost.used(slot);
        }
        return sum / cores.length;
    }

    /** The same shape with another mean; a series without demand stays as it is. */
    public DemandSeries withMean(double mean) {
        double now = meanCores();
        return now > 0.0 ? times(mean / now) : this;
    }

    /** Mean over width slots around each slot, over fewer at the ends. */
    static double[] movingMean(double[] values, int width) {
        double[] cumulated = new double[values.length + 1];
        for (int slot = 0; slot < values.length; slot++) {
            cumulated[slot + 1] = cumulated[slot] + values[slot];
        }
        double[] means = new double[values.length];
        for (int slot = 0; slot < values.length; slot++) {
            int from = Math.max(0, slot - width / 2);
            int to = Math.min(values.length, slot - width / 2 + width);
            means[slot] = (cumulated[to] - cumulated[from]) / (to - from);
        }
        return means;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DemandSeries that
                && provenance == that.provenance
                && Arrays.equals(cores, that.cores);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cores);
    }

    @Override
    public String toString() {
        return "DemandSeries{" + cores.length + " slots, " + provenance + '}';
    }
}
