package io.quotascope.domain.throttling;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.Quantile;
import io.quotascope.domain.histogram.RatioLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WorstShard;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How one service and class was throttled in one minute: counts first, then what follows from them.
 *
 * @param scope of what and when
 * @param merged the sums that the row restates
 * @param excursionRatio samples above quota / samples; absent without quota or samples
 * @param usedCores cores in use
 * @param shardThrottledRatioP50 median over records of throttled / periods; absent when no record
 *     has periods
 * @param shardThrottledRatioP90 90th percentile
 * @param shardThrottledRatioP99 99th percentile
 * @param histogram the usage histogram as a chart draws it
 * @param worstShards names of the shards with the deepest throttling in 10 s, the worst first
 */
public record ThrottlingSummary(
        JudgementScope scope,
        ServiceSums merged,
        OptionalDouble excursionRatio,
        UsedCores usedCores,
        OptionalDouble shardThrottledRatioP50,
        OptionalDouble shardThrottledRatioP90,
        OptionalDouble shardThrottledRatioP99,
        List<HistogramStep> histogram,
        List<String> worstShards) {

    /**
     * One non-empty bucket.
     *
     * @param coresMin lower edge, cores
     * @param samples samples in it
     */
    public record HistogramStep(double coresMin, long samples) {}

    /** Judges the merge of all parts up to the given one. */
    public static ThrottlingSummary judge(ServiceSums merged, long part, CatalogView catalog) {
        BucketCounts ratios = merged.distributions().throttledRatio();
        return new ThrottlingSummary(
                JudgementScope.of(merged, part, catalog),
                merged,
                excursionRatio(
                        merged.bandwidth(),
                        merged.usage().excursionSamples(),
                        merged.sampling().samples()),
                UsedCores.of(merged),
                ratios.quantile(Quantile.P50, RatioLayout.INSTANCE),
                ratios.quantile(Quantile.P90, RatioLayout.INSTANCE),
                ratios.quantile(Quantile.P99, RatioLayout.INSTANCE),
                steps(merged.distributions().usage()),
                merged.worstShards().stream().map(WorstShard::shard).toList());
    }

    /** Mean used cores of a shard / reserved cores. Absent without reserved cores or records. */
    public OptionalDouble utilization() {
        return scope.perReservedCore(usedCores.perShard());
    }

    /** Median used cores of a shard in a sample / reserved cores. */
    public OptionalDouble utilizationP50() {
        return scope.perReservedCore(usedCores.p50());
    }

    /** 99th percentile of used cores of a shard in a sample / reserved cores. */
    public OptionalDouble utilizationP99() {
        return scope.perReservedCore(usedCores.p99());
    }

    /** Samples above quota / samples. Absent without quota or samples. */
    public static OptionalDouble excursionRatio(
            Bandwidth bandwidth, long excursionSamples, long samples) {
        return bandwidth.quotaUs().isEmpty() || samples == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(excursionSamples / (double) samples);
    }

    private static List<HistogramStep> steps(BucketCounts samples) {
        List<HistogramStep> steps = new ArrayList<>();
        for (int bucket = 0; bucket < samples.end(); bucket++) {
            if (samples.count(bucket) > 0) {
                steps.add(
                        new HistogramStep(
                                UsageLayout.V1.lowerBound(bucket), samples.count(bucket)));
            }
        }
        return List.copyOf(steps);
    }
}
