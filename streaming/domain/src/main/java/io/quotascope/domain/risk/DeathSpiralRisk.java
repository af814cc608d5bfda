package io.quotascope.domain.risk;

import java.util.OptionalDouble;

/**
 * Probability that a service collapses within a horizon: that the greatest load to come exceeds the
 * collapse load, both being uncertain.
 *
 * @param probability 0..1; absent when the cliff is not known
 * @param horizonUs horizon, microseconds
 */
public record DeathSpiralRisk(OptionalDouble probability, long horizonUs) {
    /**
     * The load to come.
     *
     * @param growth greatest load of the horizon / today's load, the middle estimate
     * @param deviation standard error of its logarithm
     * @param horizonUs horizon, microseconds
     */
    public record LoadForecast(double growth, double deviation, long horizonUs) {
        /**
         * A forecast.
         *
         * @throws IllegalArgumentException when growth is not positive or the deviation negative
         */
        public LoadForecast {
            if (!(growth > 0 && growth < 1e9 && deviation >= 0 && deviation < 1e9)) {
                throw new IllegalArgumentException("growth " + growth + " deviation " + deviation);
            }
        }
    }

    /** The risk at a collapse multiple whose logarithm follows Student's distribution. */
    public static DeathSpiralRisk of(Cliff cliff, LoadForecast forecast, RiskPolicy policy) {
        return of(cliff.collapse(), forecast, policy);
    }

    /** The same for the multiple of a whole service. */
    public static DeathSpiralRisk of(Multiple collapse, LoadForecast forecast, RiskPolicy policy) {
        double reach = StrictMath.log(collapse.high() / collapse.low()) / 2;
        double error = reach / StudentT.quantile95(policy.freedom());
        double deviation = Math.hypot(error, forecast.deviation());
        double nearer = policy.calibration().map(CliffCalibration::nearness).orElse(0.0);
        double distance =
                StrictMath.log(forecast.growth()) - StrictMath.log(collapse.value()) + nearer;
        double probability = StudentT.cumulative(distance / deviation, policy.freedom());
        return new DeathSpiralRisk(OptionalDouble.of(probability), forecast.horizonUs());
    }
}
