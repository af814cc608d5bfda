package io.quotascope.domain.threads;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketLayout;
import io.quotascope.domain.histogram.Quantile;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Three percentiles of a quantity per reserved core; all absent together.
 *
 * @param p50 median
 * @param p90 90th percentile
 * @param p99 99th percentile
 */
public record Percentiles(OptionalDouble p50, OptionalDouble p90, OptionalDouble p99) {
    /** Not measured. */
    public static final Percentiles ABSENT =
            new Percentiles(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());

    static Percentiles perReservedCore(
            Optional<BucketCounts> counts, BucketLayout layout, JudgementScope scope) {
        if (counts.isEmpty()) {
            return ABSENT;
        }
        BucketCounts stated = counts.get();
        return new Percentiles(
                scope.perReservedCore(stated.quantile(Quantile.P50, layout)),
                scope.perReservedCore(stated.quantile(Quantile.P90, layout)),
                scope.perReservedCore(stated.quantile(Quantile.P99, layout)));
    }
}
