package io.quotascope.domain.alert;

import java.util.OptionalDouble;

/**
 * When an alert of one kind begins and ends. Between the two thresholds nothing changes, whichever
 * state holds: that is what keeps noise from making it flap.
 *
 * @param kind what is wrong
 * @param raise it begins at this value or beyond
 * @param clear it ends at this value or beyond, on the other side; above {@code raise} when small
 *     values are bad
 * @param critical from this value on it is critical; absent = it never is
 * @param raiseMinutes judged minutes in a row that must be beyond {@code raise}; a critical value
 *     of {@code cliff_near} waits for none
 * @param clearMinutes judged minutes in a row that must be beyond {@code clear}
 */
public record AlertRule(
        AlertKind kind,
        double raise,
        double clear,
        OptionalDouble critical,
        int raiseMinutes,
        int clearMinutes) {
    /**
     * A rule with a band.
     *
     * @throws IllegalArgumentException without a band between the thresholds, with fewer than one
     *     minute, or when critical is less bad than the beginning
     */
    public AlertRule {
        if (!(raise > clear || raise < clear)) {
            throw new IllegalArgumentException(
                    kind.label() + ": raise and clear must differ: " + raise + ", " + clear);
        }
        if (raiseMinutes < 1 || clearMinutes < 1) {
            throw new IllegalArgumentException(
                    kind.label() + ": at least one minute is needed to begin and to end");
        }
        double badness = raise > clear ? 1 : -1;
        if (critical.isPresent() && !(badness * critical.getAsDouble() >= badness * raise)) {
            throw new IllegalArgumentException(
                    kind.label() + ": critical lies before raise: " + critical.getAsDouble());
        }
    }

    /** Whether a value counts towards the beginning. */
    public boolean raises(double value) {
        return raise > clear ? value >= raise : value <= raise;
    }

    /**
     * Whether a value begins it without waiting for more minutes: a service that is about to
     * collapse may have no second one.
     */
    public boolean raisesAtOnce(double value) {
        return kind == AlertKind.CLIFF_NEAR
                && raises(value)
                && severityOf(value) == AlertSeverity.CRITICAL;
    }

    /** Whether a value counts towards the end. */
    public boolean clears(double value) {
        return raise > clear ? value <= clear : value >= clear;
    }

    /** How urgent a value is that raises. */
    public AlertSeverity severityOf(double value) {
        if (critical.isEmpty()) {
            return AlertSeverity.WARNING;
        }
        boolean beyond =
                raise > clear ? value >= critical.getAsDouble() : value <= critical.getAsDouble();
        return beyond ? AlertSeverity.CRITICAL : AlertSeverity.WARNING;
    }
}
