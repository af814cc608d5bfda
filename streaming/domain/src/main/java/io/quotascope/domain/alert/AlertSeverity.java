package io.quotascope.domain.alert;

/** How urgent an alert is, in ascending order. */
public enum AlertSeverity {
    /** Look at it in working hours. */
    WARNING("warning"),
    /** Look at it now. */
    CRITICAL("critical");

    private final String label;

    AlertSeverity(String label) {
        this.label = label;
    }

    /** Name in records. */
    public String label() {
        return label;
    }
}
