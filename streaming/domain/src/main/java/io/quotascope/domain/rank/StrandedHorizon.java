package io.quotascope.domain.rank;

import io.quotascope.domain.kernel.StrandedQuota;
import io.quotascope.domain.kernel.StrandedQuota.Observation;
import io.quotascope.domain.kernel.StrandedQuota.Standing;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Whether use explains the throttling of a service: the law of {@link StrandedQuota} over all its
 * shards together. What no use of theirs can account for, the kernels of their hosts have lost, and
 * no tuning of the service brings it back. Hosts are told apart by {@code kernel_findings}; here
 * sound ones dilute faulty ones, so that a service may be a victim and not be seen as one, and is
 * never called one without proof.
 */
public final class StrandedHorizon {
    /**
     * CPUs of the largest hosts; what a service's records do not say. Larger hosts hold more slices
     * and the proof would be none.
     */
    private static final int HOST_CPUS_MAX = 128;

    /** What a CPU draws from the quota at once unless the kernel is told otherwise. */
    private static final long BANDWIDTH_SLICE_US = 5_000;

    /** All shards may have been replaced once within the horizon. */
    private static final long GENERATIONS = 2;

    private StrandedHorizon() {}

    /**
     * Cores that were handed out and certainly not used; absent when use explains the throttling,
     * or there was none.
     *
     * @param minutes sums of the minutes that had rows, oldest first; not empty
     */
    public static OptionalDouble cores(List<ServiceSums> minutes) {
        long spanUs =
                minutes.get(minutes.size() - 1).windowStartUs()
                        - minutes.get(0).windowStartUs()
                        + WindowPart.MINUTE_US;
        return cores(HorizonSums.of(minutes), minutes.size(), spanUs / WindowPart.MINUTE_US);
    }

    /**
     * The same of sums that are known.
     *
     * @param minutes minutes that had rows
     * @param spanMinutes minutes from the first to the last of them
     */
    static OptionalDouble cores(HorizonSums horizon, int minutes, long spanMinutes) {
        if (horizon.bandwidth().quotaUs().isEmpty()
                || horizon.throttling().throttledPeriods() == 0) {
            return OptionalDouble.empty();
        }
        long stretches = stretches(horizon, minutes, spanMinutes);
        long periodUs = horizon.bandwidth().periodUs().orElseThrow();
        // Each stretch may begin within a window in which another quota held.
        long cut = stretches * Math.max(1, WindowPart.WINDOW_US / periodUs);
        StrandedQuota seen =
                StrandedQuota.of(
                        new Observation(
                                horizon.bandwidth().quotaUs().orElseThrow(),
                                Math.max(0, horizon.throttling().throttledPeriods() - cut),
                                horizon.usage().usageUs(),
                                (int) Math.min(Integer.MAX_VALUE, HOST_CPUS_MAX * stretches),
                                BANDWIDTH_SLICE_US,
                                minutes * WindowPart.MINUTE_US));
        return seen.standing() == Standing.STRANDED
                ? OptionalDouble.of(seen.strandedCoresLow())
                : OptionalDouble.empty();
    }

    /** Stretches of windows of a shard without a hole: each hole makes one more. */
    private static long stretches(HorizonSums horizon, int minutes, long spanMinutes) {
        if (horizon.expectedRecords() <= 0) {
            return horizon.records();
        }
        long lost = Math.max(0, horizon.expectedRecords() - horizon.records());
        long gaps = spanMinutes - minutes;
        return horizon.shards() * (GENERATIONS + gaps) + lost;
    }
}
