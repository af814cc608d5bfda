package io.quotascope.validate.estimate;

/** How much an estimator sees. */
public enum Input {
    /** Merged histograms, sums and counters only. */
    SUMMARIES("summaries"),
    /** The same with the two exemplars of 10 s that a row of a service carries. */
    EXEMPLAR("exemplar"),
    /** Every record with its raw samples, as a recording on one host has them. */
    RECORDING("recording");

    private final String label;

    Input(String label) {
        this.label = label;
    }

    /** As the table spells it. */
    public String label() {
        return label;
    }
}
