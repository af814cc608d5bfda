package io.quotascope.domain.whatif.advice;

import java.util.Locale;

/**
 * What a service is to reach.
 *
 * @param throttledPeriodRatio most throttled periods / periods at peak
 * @param headroom least collapse load / peak load
 * @param peakMultiple peak load as a multiple of the load that was measured
 * @param aim what the gain is taken as
 */
public record Target(double throttledPeriodRatio, double headroom, double peakMultiple, Aim aim) {
    /** What an owner takes a gain as. */
    public enum Aim {
        /** Fewer cores at the target. */
        SAVINGS,
        /** The shortest delay with the cores of today. */
        LATENCY;

        /** Name in records and in the catalog. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** At most 1 % throttled and 1.4 times the load before collapse, taken as savings. */
    public static final Target DEFAULT = new Target(0.01, 1.4, 1.0, Aim.SAVINGS);

    /**
     * A target that can be reached.
     *
     * @throws IllegalArgumentException for a ratio outside 0 .. 1 or a multiple that is not
     *     positive
     */
    public Target {
        if (!(throttledPeriodRatio >= 0.0 && throttledPeriodRatio <= 1.0)
                || !(headroom >= 0.0 && headroom <= 100.0)
                || !(peakMultiple > 0.0 && peakMultiple <= 100.0)) {
            throw new IllegalArgumentException(
                    throttledPeriodRatio + ", " + headroom + ", " + peakMultiple);
        }
    }

    /** The same for another peak. */
    public Target atPeak(double multiple) {
        return new Target(throttledPeriodRatio, headroom, multiple, aim);
    }

    /** The same with another aim. */
    public Target with(Aim other) {
        return new Target(throttledPeriodRatio, headroom, peakMultiple, other);
    }
}
