package io.quotascope.domain.window;

import io.quotascope.domain.histogram.BetweenShards;
import io.quotascope.domain.histogram.SecondOrderSums;
import java.util.List;
import java.util.Map;

/**
 * All shards of one service and quota class in one minute: sums, counts, integer histograms and
 * choices by a total order, hence the same bits in any order of arrival. {@link ServiceAccumulator}
 * makes and merges them.
 *
 * @param key what the row is about
 * @param windowStartUs start of the minute, microseconds since the Unix epoch, UTC
 * @param bandwidth setting of the class
 * @param reporting what arrived and what was expected
 * @param sampling how well it was sampled
 * @param usage CPU use
 * @param throttling bandwidth counters
 * @param threads threads
 * @param distributions merged histograms
 * @param secondOrder second-order sums; not to be written to
 * @param betweenShards sums over records; not to be written to
 * @param worstShards at most five, the worst first
 * @param kernelHostWindows host windows by kernel release, ascending
 * @param exemplars two chosen exemplars
 */
public record ServiceSums(
        ServiceKey key,
        long windowStartUs,
        Bandwidth bandwidth,
        Reporting reporting,
        SamplingSums sampling,
        UsageSums usage,
        ThrottlingSums throttling,
        ThreadSums threads,
        Distributions distributions,
        SecondOrderSums secondOrder,
        BetweenShards betweenShards,
        List<WorstShard> worstShards,
        Map<String, Long> kernelHostWindows,
        Exemplars exemplars) {
    /** The same sums, told which record their worst exemplar belongs to. */
    public ServiceSums withWorstExemplarOf(WorstShard rank) {
        return new ServiceSums(
                key,
                windowStartUs,
                bandwidth,
                reporting,
                sampling,
                usage,
                throttling,
                threads,
                distributions,
                secondOrder,
                betweenShards,
                worstShards,
                kernelHostWindows,
                exemplars.withWorstOf(rank));
    }

    /**
     * The same sums as part of an hour: dated at its start, and without exemplars, which show a
     * minute.
     */
    public ServiceSums ofHour(long hourStartUs) {
        return new ServiceSums(
                key,
                hourStartUs,
                bandwidth,
                reporting,
                sampling,
                usage,
                throttling,
                threads,
                distributions,
                secondOrder,
                betweenShards,
                worstShards,
                kernelHostWindows,
                Exemplars.NONE);
    }
}
