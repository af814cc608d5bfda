package io.quotascope.domain.window;

import io.quotascope.domain.histogram.BucketCounts;
import java.util.Optional;

/**
 * The merged histograms of a row.
 *
 * @param usage used cores of one shard per sample ({@code UsageLayout})
 * @param usedCores mean used cores of a shard in 10 s, over records ({@code UsageLayout})
 * @param throttledRatio throttled periods / periods over records with periods ({@code RatioLayout})
 * @param threads threads over records ({@code ThreadsLayout}); absent when no record states them
 * @param runnable runnable threads over samples ({@code RunnableLayout}); absent when no record
 *     states them
 */
public record Distributions(
        BucketCounts usage,
        BucketCounts usedCores,
        BucketCounts throttledRatio,
        Optional<BucketCounts> threads,
        Optional<BucketCounts> runnable) {}
