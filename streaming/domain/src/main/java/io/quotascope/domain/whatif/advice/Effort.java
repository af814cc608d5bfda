package io.quotascope.domain.whatif.advice;

/** How much work a change is. Days are judgements of practice, as in {@code savings.FixKind}. */
public enum Effort {
    /** Nothing to do. */
    NONE(0.0),
    /** One field of a manifest or a unit. */
    SETTING(0.5),
    /** Sizes of pools: configuration and a canary. */
    TUNING(3.0),
    /** Hosts must be set up otherwise. */
    PLATFORM(5.0);

    private final double days;

    Effort(double days) {
        this.days = days;
    }

    /** Work of people for one service, days. */
    public double days() {
        return days;
    }
}
