package io.quotascope.domain.whatif;

import java.util.List;
import java.util.OptionalDouble;

/**
 * How a service's fast variation grows with its load, fitted over minutes of different load: ln of
 * the deviation within a minute against ln of its mean.
 */
public final class LoadExponent {
    private static final int MINUTES_MIN = 30;

    /** Smallest ratio of the 95th to the 5th percentile of load that says something. */
    private static final double SWING_MIN = 1.3;

    private LoadExponent() {}

    /**
     * One minute's load.
     *
     * @param meanCores mean used cores
     * @param deviationCores standard deviation of 10 ms samples
     */
    public record Minute(double meanCores, double deviationCores) {}

    /**
     * The exponent, kept within 0.5 (independent arrivals) and 1 (everything grows together).
     * Absent with fewer than thirty minutes or without a swing of load.
     */
    public static OptionalDouble fit(List<Minute> minutes) {
        List<Minute> used =
                minutes.stream()
                        .filter(minute -> minute.meanCores() > 0 && minute.deviationCores() > 0)
                        .toList();
        if (used.size() < MINUTES_MIN || swing(used) < SWING_MIN) {
            return OptionalDouble.empty();
        }
        double x = 0.0;
        double y = 0.0;
        double xx = 0.0;
        double xy = 0.0;
        for (Minute minute : used) {
            double load = StrictMath.log(minute.meanCores());
            double deviation = StrictMath.log(minute.deviationCores());
            x += load;
            y += deviation;
            xx += load * load;
            xy += load * deviation;
        }
        double slope = (used.size() * xy - x * y) / (used.size() * xx - x * x);
        return OptionalDouble.of(Math.max(DemandSeries.INDEPENDENT, Math.min(1.0, slope)));
    }

    private static double swing(List<Minute> minutes) {
        double[] loads = minutes.stream().mapToDouble(Minute::meanCores).sorted().toArray();
        return loads[loads.length * 19 / 20] / loads[loads.length / 20];
    }
}
