package io.quotascope.domain.whatif;

import java.util.List;

/**
 * Several independent series that the same evidence could have come from. Their differences show
 * what the evidence leaves open.
 *
 * @param series at least one, all equally long
 */
public record DemandEnsemble(List<DemandSeries> series) {
    /**
     * An ensemble of equally long series.
     *
     * @throws IllegalArgumentException when it is empty or lengths differ
     */
    public DemandEnsemble {
        series = List.copyOf(series);
        if (series.isEmpty()) {
            throw new IllegalArgumentException("an ensemble needs a series");
        }
        for (DemandSeries one : series) {
            if (one.slots() != series.get(0).slots()) {
                throw new IllegalArgumentException(
                        "series of " + series.get(0).slots() + " and " + one.slots() + " slots");
            }
        }
    }

    /** Slots of each series. */
    public int slots() {
        return series.get(0).slots();
    }

    /** Every series at a multiple of the load ({@link DemandSeries#atLoad(double, double)}). */
    public DemandEnsemble atLoad(double multiple, double exponent) {
        return new DemandEnsemble(
                series.stream().map(one -> one.atLoad(multiple, exponent)).toList());
    }

    /** Mean over all series. */
    public double meanCores() {
        double sum = 0.0;
        for (DemandSeries one : series) {
            sum += one.meanCores();
        }
        return sum / series.size();
    }
}
