package io.quotascope.domain.threads;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.histogram.Quantile;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.ThreadsLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.Distributions;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WorstShard;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Threads per reserved core of one service and class in one minute. Above 1 a pool can outrun its
 * cores. All threads of a shard are an upper bound of the runnable ones and its running cores a
 * lower bound, so the runnable percentiles come from eBPF alone and are absent without it.
 *
 * @param scope of what and when
 * @param threadsPerShard mean threads of a shard; absent without pids controller
 * @param threads all threads per reserved core, over records
 * @param runnable runnable threads in unthrottled time per reserved core, over samples; absent
 *     without eBPF
 * @param runnableLow lower bound of the runnable ratio: 99th percentile of used cores in a sample
 *     per reserved core
 * @param runnableHigh upper bound of the runnable ratio: the 99th percentile of all threads per
 *     reserved core, or the lower bound where that is more: threads are counted as a window ends,
 *     and who used so many cores before had at least as many
 * @param worstShards names of the shards with the most threads among the window's worst, most first
 */
public record ThreadRatio(
        JudgementScope scope,
        OptionalDouble threadsPerShard,
        Percentiles threads,
        Percentiles runnable,
        OptionalDouble runnableLow,
        OptionalDouble runnableHigh,
        List<String> worstShards) {

    /** Judges the merge of all parts up to the given one. */
    public static ThreadRatio judge(ServiceSums merged, long part, CatalogView catalog) {
        JudgementScope scope = JudgementScope.of(merged, part, catalog);
        Distributions distributions = merged.distributions();
        Percentiles threads =
                Percentiles.perReservedCore(distributions.threads(), ThreadsLayout.INSTANCE, scope);
        OptionalDouble low =
                scope.perReservedCore(distributions.usage().quantile(Quantile.P99, UsageLayout.V1));
        return new ThreadRatio(
                scope,
                merged.threads().perShard(),
                threads,
                Percentiles.perReservedCore(
                        distributions.runnable(), RunnableLayout.INSTANCE, scope),
                low,
                atLeast(low, threads.p99()),
                mostThreadsFirst(merged.worstShards()));
    }

    private static OptionalDouble atLeast(OptionalDouble low, OptionalDouble high) {
        return low.isPresent() && high.isPresent()
                ? OptionalDouble.of(Math.max(low.getAsDouble(), high.getAsDouble()))
                : high;
    }

    /**
     * All shards of a class reserve the same, so the order by threads is the order by threads per
     * reserved core.
     */
    private static List<String> mostThreadsFirst(List<WorstShard> worst) {
        return worst.stream()
                .filter(shard -> shard.threads().isPresent())
                .sorted(
                        Comparator.comparingLong((WorstShard shard) -> shard.threads().getAsLong())
                                .reversed()) // stable: equal counts keep the order of the worst
                .map(WorstShard::shard)
                .toList();
    }
}
