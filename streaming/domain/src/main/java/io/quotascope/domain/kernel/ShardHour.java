package io.quotascope.domain.kernel;

import io.quotascope.domain.kernel.StrandedQuota.Observation;
import io.quotascope.domain.kernel.StrandedQuota.Standing;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.BitSet;

/**
 * What was seen of one shard under one quota in one hour or less, in whatever order it came: sums,
 * and which windows of 10 s they are of. About 200 bytes.
 *
 * @param name service/shard
 * @param quotaUs quota, microseconds
 * @param periodUs period, microseconds
 * @param windows windows of the hour that were seen, by number; not to be written to
 * @param periods periods elapsed
 * @param throttledPeriods throttled periods
 * @param usageUs CPU time used, microseconds
 * @param cpusAllowed CPUs that its cpuset allows, the most stated; 0 = never stated
 */
public record ShardHour(
        String name,
        long quotaUs,
        long periodUs,
        BitSet windows,
        long periods,
        long throttledPeriods,
        long usageUs,
        long cpusAllowed) {
    /** Length of the window over which shards are judged, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    /** What a CPU draws from the quota at once unless the kernel is told otherwise. */
    private static final long BANDWIDTH_SLICE_US = 5_000;

    /**
     * One record.
     *
     * @throws IllegalArgumentException for a shard without quota and period
     */
    public static ShardHour of(ShardWindow window) {
        if (window.bandwidth().quotaCores().isEmpty()) {
            throw new IllegalArgumentException("a shard without a quota loses none");
        }
        BitSet windows = new BitSet();
        windows.set((int) (Math.floorMod(window.windowStartUs(), HOUR_US) / WindowPart.WINDOW_US));
        return new ShardHour(
                window.service() + '/' + window.shard(),
                window.bandwidth().quotaUs().orElseThrow(),
                window.bandwidth().periodUs().orElseThrow(),
                windows,
                window.throttling().periods().orElse(0),
                window.throttling().throttledPeriods().orElse(0),
                window.usage().usageUs(),
                window.placement().cpusAllowed().orElse(0));
    }

    /** Both together; of the same shard, quota and hour. */
    public ShardHour plus(ShardHour other) {
        BitSet union = (BitSet) windows.clone();
        union.or(other.windows);
        return new ShardHour(
                name.compareTo(other.name) <= 0 ? name : other.name,
                quotaUs,
                periodUs,
                union,
                periods + other.periods,
                throttledPeriods + other.throttledPeriods,
                usageUs + other.usageUs,
                Math.max(cpusAllowed, other.cpusAllowed));
    }

    /**
     * Whether usage explains the throttling. Each stretch of windows without a hole may begin just
     * after a change of the quota, so the periods of one window of each stretch are not counted
     * against the kernel, and what CPUs may hold is allowed for once a stretch.
     *
     * @param hostCpus CPUs of the host, for a shard that is not bound to fewer
     */
    public StrandedQuota stranded(int hostCpus) {
        if (throttledPeriods == 0) {
            return new StrandedQuota(Standing.NOT_THROTTLED, 0, 0);
        }
        long cut = stretches() * Math.max(1, WindowPart.WINDOW_US / periodUs);
        if (throttledPeriods <= cut) {
            return new StrandedQuota(Standing.EXPLAINED, 0, 0);
        }
        int cpus = cpusAllowed > 0 ? (int) Math.min(cpusAllowed, hostCpus) : hostCpus;
        StrandedQuota certain =
                StrandedQuota.of(
                        new Observation(
                                quotaUs,
                                throttledPeriods - cut,
                                usageUs,
                                Math.max(1, cpus) * stretches(),
                                BANDWIDTH_SLICE_US,
                                wallUs()));
        if (certain.standing() != Standing.STRANDED) {
            return certain;
        }
        double estimate = (throttledPeriods * quotaUs - usageUs) / (double) wallUs();
        return new StrandedQuota(Standing.STRANDED, certain.strandedCoresLow(), estimate);
    }

    /**
     * The most that can have been lost, cores: as if the periods without throttling had used all
     * that they could, so that nothing else is left for the throttled ones.
     */
    public double strandedCoresHigh() {
        long inOthers = Math.max(0, periods - throttledPeriods) * quotaUs;
        long inThrottled = Math.max(0, usageUs - inOthers);
        return Math.max(0, throttledPeriods * quotaUs - inThrottled) / (double) wallUs();
    }

    /** Time seen, microseconds. */
    public long wallUs() {
        return windows.cardinality() * WindowPart.WINDOW_US;
    }

    private int stretches() {
        int stretches = 0;
        for (int from = windows.nextSetBit(0); from >= 0; ) {
            stretches++;
            from = windows.nextSetBit(windows.nextClearBit(from));
        }
        return stretches;
    }
}
