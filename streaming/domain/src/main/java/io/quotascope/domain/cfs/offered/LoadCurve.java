package io.quotascope.domain.cfs.offered;

/**
 * The load as a multiple of what a law says: one value, a straight ramp, another value.
 *
 * @param from multiple until the ramp starts
 * @param to multiple after it
 * @param startUs where the ramp starts, microseconds
 * @param rampUs how long it takes; 0 = a step
 */
public record LoadCurve(double from, double to, long startUs, long rampUs) {
    /**
     * No negative load.
     *
     * @throws IllegalArgumentException otherwise
     */
    public LoadCurve {
        if (!(from >= 0 && to >= 0 && from < 1e6 && to < 1e6) || startUs < 0 || rampUs < 0) {
            throw new IllegalArgumentException("no such load: " + from + " to " + to);
        }
    }

    /** The same multiple all the time. */
    public static LoadCurve constant(double multiple) {
        return new LoadCurve(multiple, multiple, 0, 0);
    }

    /** The multiple at an instant. */
    public double at(long nowUs) {
        if (nowUs < startUs) {
            return from;
        }
        if (nowUs >= startUs + rampUs) {
            return to;
        }
        return from + (to - from) * (nowUs - startUs) / rampUs;
    }
}
