package io.quotascope.domain.rank;

import io.quotascope.domain.histogram.Quantile;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ServiceSums;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reserved cores of all shards beyond what 10 ms peaks need: one figure a minute, then their median
 * and the 5th and 95th percentile (nearest rank) over the minutes.
 *
 * @param median cores
 * @param low 5th percentile, cores
 * @param high 95th percentile, cores
 */
public record ReclaimableCores(double median, double low, double high) {
    private static final int LOW = 50;
    private static final int HIGH = 950;

    /** Absent when no minute has samples. */
    static Optional<ReclaimableCores> of(
            Collection<ServiceSums> minutes, double reservedCores, RankPolicy policy) {
        double[] ascending =
                minutes.stream()
                        .filter(minute -> !minute.distributions().usage().isEmpty())
                        .mapToDouble(minute -> ofMinute(minute, reservedCores, policy))
                        .sorted()
                        .toArray();
        if (ascending.length == 0) {
            return Optional.empty();
        }
        return Optional.of(
                new ReclaimableCores(
                        ranked(ascending, Quantile.P50),
                        ranked(ascending, LOW),
                        ranked(ascending, HIGH)));
    }

    /** max(0, reserved - used_p99 / utilization ceiling) x shards. */
    private static double ofMinute(ServiceSums minute, double reservedCores, RankPolicy policy) {
        OptionalDouble peak = minute.distributions().usage().quantile(Quantile.P99, UsageLayout.V1);
        double needed = peak.orElseThrow() / policy.utilizationMax();
        return Math.max(0, reservedCores - needed) * minute.reporting().shards();
    }

    private static double ranked(double[] ascending, int perMille) {
        return ascending[(int) Quantile.rank(perMille, ascending.length) - 1];
    }
}
