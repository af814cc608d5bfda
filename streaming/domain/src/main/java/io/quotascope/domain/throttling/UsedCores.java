package io.quotascope.domain.throttling;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.Quantile;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.OptionalDouble;

/**
 * Cores in use.
 *
 * @param total of all shards together, over the minute
 * @param perShard mean of one shard over its records; absent without records
 * @param p50 median of one shard in a sample; the percentiles are absent without samples
 * @param p90 90th percentile
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 */
public record UsedCores(
        double total,
        OptionalDouble perShard,
        OptionalDouble p50,
        OptionalDouble p90,
        OptionalDouble p99,
        OptionalDouble p999) {

    static UsedCores of(ServiceSums merged) {
        BucketCounts samples = merged.distributions().usage();
        long usageUs = merged.usage().usageUs();
        return new UsedCores(
                usageUs / (double) WindowPart.MINUTE_US,
                perShard(usageUs, merged.reporting().records()),
                samples.quantile(Quantile.P50, UsageLayout.V1),
                samples.quantile(Quantile.P90, UsageLayout.V1),
                samples.quantile(Quantile.P99, UsageLayout.V1),
                samples.quantile(Quantile.P999, UsageLayout.V1));
    }

    /** usage / (records x 10 s). Absent without records. */
    public static OptionalDouble perShard(long usageUs, long records) {
        return records == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(usageUs / (double) (records * WindowPart.WINDOW_US));
    }
}
