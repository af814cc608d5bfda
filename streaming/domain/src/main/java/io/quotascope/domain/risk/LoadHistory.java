package io.quotascope.domain.risk;

import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * Forecasts the greatest load of a horizon from the hours of the last weeks: the same hour a week
 * ago, or a day ago where there is none, lifted by how the last day compares with its own
 * references. The error is that of the same forecast made for each of the last days, so a service
 * whose load cannot be foreseen says so by itself.
 */
public final class LoadHistory {
    private static final long HOUR_US = 3_600_000_000L;
    private static final long DAY_US = 24 * HOUR_US;
    private static final long WEEK_US = 7 * DAY_US;

    /** Error of a forecast that nothing supports: a factor of 1.5 either way is quite possible. */
    private static final double DEVIATION_UNKNOWN = 0.4;

    /** No forecast is better than this: minutes differ within the best known hour. */
    private static final double DEVIATION_MIN = 0.05;

    private static final int BACKTESTS_MIN = 3;
    private static final int BACKTESTS_MAX = 14;

    private LoadHistory() {}

    /**
     * The forecast at an instant.
     *
     * @param peaks greatest minute of each full hour, used cores, by the hour's start
     * @param nowUs the instant, microseconds since the Unix epoch
     * @param nowCores load at it, used cores, positive
     * @param horizonUs how far to look, microseconds
     */
    public static LoadForecast forecast(
            SortedMap<Long, Double> peaks, long nowUs, double nowCores, long horizonUs) {
        OptionalDouble peak = peakOf(peaks, nowUs, horizonUs);
        if (peak.isEmpty()) {
            return new LoadForecast(1, DEVIATION_UNKNOWN, horizonUs);
        }
        // A load that is already above its forecast does not fall within the horizon for certain.
        double growth = Math.max(1, peak.getAsDouble() / nowCores);
        return new LoadForecast(growth, deviation(peaks, nowUs, horizonUs), horizonUs);
    }

    /** Greatest expected hour; absent when no hour of the horizon has a reference. */
    private static OptionalDouble peakOf(
            SortedMap<Long, Double> peaks, long nowUs, long horizonUs) {
        double level = level(peaks, nowUs);
        double most = 0;
        for (long hour = Math.floorDiv(nowUs, HOUR_US) * HOUR_US;
                hour < nowUs + horizonUs;
                hour += HOUR_US) {
            most = Math.max(most, level * reference(peaks, hour, nowUs).orElse(0));
        }
        return most > 0 ? OptionalDouble.of(most) : OptionalDouble.empty();
    }

    /** The last day over its own references; 1 without them. */
    private static double level(SortedMap<Long, Double> peaks, long nowUs) {
        double actual = 0;
        double expected = 0;
        for (var hour : peaks.subMap(nowUs - DAY_US, nowUs - HOUR_US + 1).entrySet()) {
            OptionalDouble reference = reference(peaks, hour.getKey(), hour.getKey());
            if (reference.isPresent()) {
                actual += hour.getValue();
                expected += reference.getAsDouble();
            }
        }
        return expected > 0 && actual > 0 ? actual / expected : 1;
    }

    /** The hour a week before, else a day before; only hours that had ended at an instant count. */
    private static OptionalDouble reference(
            SortedMap<Long, Double> peaks, long hourUs, long knownAtUs) {
        for (long step : new long[] {WEEK_US, DAY_US}) {
            for (long back = step; back <= 2 * WEEK_US; back += step) {
                Double peak = peaks.get(hourUs - back);
                if (peak != null && hourUs - back + HOUR_US <= knownAtUs) {
                    return OptionalDouble.of(peak);
                }
            }
        }
        return OptionalDouble.empty();
    }

    private static double deviation(SortedMap<Long, Double> peaks, long nowUs, long horizonUs) {
        double squares = 0;
        int tests = 0;
        for (int day = 1; day <= BACKTESTS_MAX; day++) {
            long then = nowUs - day * DAY_US;
            if (then + horizonUs > nowUs) {
                continue;
            }
            OptionalDouble expected = peakOf(peaks.headMap(then), then, horizonUs);
            double actual =
                    peaks.subMap(then, then + horizonUs).values().stream()
                            .mapToDouble(Double::doubleValue)
                            .max()
                            .orElse(0);
            if (expected.isPresent() && actual > 0) {
                double error = StrictMath.log(actual / expected.getAsDouble());
                squares += error * error;
                tests++;
            }
        }
        return tests < BACKTESTS_MIN
                ? DEVIATION_UNKNOWN
                : Math.max(DEVIATION_MIN, Math.sqrt(squares / tests));
    }
}
