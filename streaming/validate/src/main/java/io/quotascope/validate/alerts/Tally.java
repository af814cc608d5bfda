package io.quotascope.validate.alerts;

/** Counts what one rule did to many services. */
public final class Tally {
    /** A warning this much before the collapse is of use, seconds. */
    static final int LEAD_SECONDS = 60;

    /** A warning below this share of the load that collapses is early. */
    static final double EARLY_BELOW = 0.6;

    private static final int MINUTE_SECONDS = 60;

    private int alerts;
    private int falseFar;
    private int falseNear;
    private int accused;
    private int inTime;
    private int early;
    private int late;
    private int missed;
    private int again;
    private int most;

    /** One service further. */
    public void add(Course course, Firing firing) {
        alerts += firing.alerts();
        again += Math.max(0, firing.alerts() - 1);
        most = Math.max(most, firing.alerts());
        if (course.collapseSecond().isPresent()) {
            warned(course, firing, course.collapseSecond().getAsInt());
            return;
        }
        accused += firing.alerts() > 0 ? 1 : 0;
        if (course.isFar()) {
            falseFar += firing.alerts();
        } else {
            falseNear += firing.alerts();
        }
    }

    private void warned(Course course, Firing firing, int collapseSecond) {
        int first = firing.first();
        if (first < 0) {
            missed++;
        } else if ((first + 1) * MINUTE_SECONDS > collapseSecond - LEAD_SECONDS) {
            late++;
        } else {
            inTime++;
            early += course.loadShares().get(first) < EARLY_BELOW ? 1 : 0;
        }
    }

    /** Alerts that began. */
    public int alerts() {
        return alerts;
    }

    /** Of those, on services that did not collapse and never had half of the load to. */
    public int falseFar() {
        return falseFar;
    }

    /** The same on services that did not collapse and had more. */
    public int falseNear() {
        return falseNear;
    }

    /** Services that did not collapse and had an alert. */
    public int accused() {
        return accused;
    }

    /** Collapses whose first alert fired a minute before or earlier. */
    public int inTime() {
        return inTime;
    }

    /** Of those, first alerts below 60 % of the load. */
    public int early() {
        return early;
    }

    /** Collapses whose first alert fired later than a minute before. */
    public int late() {
        return late;
    }

    /** Collapses without an alert until the run ended. */
    public int missed() {
        return missed;
    }

    /** Alerts beyond the first of their service. */
    public int again() {
        return again;
    }

    /** Most alerts of one service. */
    public int most() {
        return most;
    }
}
