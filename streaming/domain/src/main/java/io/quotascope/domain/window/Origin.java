package io.quotascope.domain.window;

/** Where numbers come from. Never mixed in one row. */
public enum Origin {
    /** Read from a kernel while it happened. */
    MEASURED("measured"),
    /** A recorded trace, re-stamped to now. */
    REPLAYED("replayed"),
    /** Made by a model. */
    SIMULATED("simulated");

    private final String label;

    Origin(String label) {
        this.label = label;
    }

    /** The spelling in records, keys and tables. */
    public String label() {
        return label;
    }
}
