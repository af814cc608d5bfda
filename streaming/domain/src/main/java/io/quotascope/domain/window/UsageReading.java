package io.quotascope.domain.window;

import io.quotascope.domain.histogram.PackedBytes;
import java.util.OptionalLong;

/**
 * CPU use of one shard in one window.
 *
 * @param usageUs by the kernel's own counter, microseconds; telescopes over windows
 * @param sampledUsageUs sum over the samples, microseconds
 * @param layoutVersion bucket layout of the histogram
 * @param histogram used cores over the samples, packed
 * @param excursionSamples samples above the quota in force; absent without a quota
 * @param excursionUs CPU time above quota in them, microseconds; absent without a quota
 * @param secondOrder second-order sums, packed
 */
public record UsageReading(
        long usageUs,
        long sampledUsageUs,
        int layoutVersion,
        PackedBytes histogram,
        OptionalLong excursionSamples,
        OptionalLong excursionUs,
        PackedBytes secondOrder) {}
