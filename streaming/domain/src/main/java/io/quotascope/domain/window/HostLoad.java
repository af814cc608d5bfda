package io.quotascope.domain.window;

import io.quotascope.domain.histogram.PackedBytes;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a whole host did in one window; each reading is absent where its file cannot be read.
 *
 * @param samples host samples taken
 * @param missedSamples host samples planned but not taken
 * @param layoutVersion bucket layout of the histogram
 * @param usageHistogram used cores of the host over the samples, packed
 * @param usageUs CPU time used, microseconds
 * @param stealUs CPU time taken by the hypervisor, microseconds
 * @param irqUs CPU time in interrupts, microseconds
 * @param threads all tasks at the window's end
 * @param runnableThreads tasks runnable at the window's end
 * @param contextSwitches context switches
 */
public record HostLoad(
        int samples,
        int missedSamples,
        int layoutVersion,
        Optional<PackedBytes> usageHistogram,
        OptionalLong usageUs,
        OptionalLong stealUs,
        OptionalLong irqUs,
        OptionalLong threads,
        OptionalLong runnableThreads,
        OptionalLong contextSwitches) {}
