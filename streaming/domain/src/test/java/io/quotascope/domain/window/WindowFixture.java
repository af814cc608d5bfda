package io.quotascope.domain.window;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.PackedVarints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Sound records to change one thing at a time. */
public final class WindowFixture {
    /** 2026-11-20T08:42:00Z. */
    public static final long MINUTE_US = 1_795_164_120_000_000L;

    private WindowFixture() {}

    /** Second-order sums that state only their samples. */
    public static PackedBytes secondOrder(int samples) {
        byte[] packed = new byte[PackedVarints.sizeOf(samples) + 18];
        PackedVarints.write(packed, 0, samples);
        return PackedBytes.of(packed);
    }

    public static Sampling sampling(int samples) {
        return new Sampling(10_000, samples, 0, 0, SamplingMethod.TICK_POLL);
    }

    public static UsageReading usage(long usageUs, BucketCounts samples) {
        return new UsageReading(
                usageUs,
                usageUs,
                1,
                samples.pack(),
                OptionalLong.of(0),
                OptionalLong.of(0),
                secondOrder((int) samples.total()));
    }

    public static BucketCounts samples(Map<Integer, Long> counts) {
        BucketTally tally = new BucketTally();
        counts.forEach(tally::add);
        return tally.toCounts();
    }

    public static ThrottlingCounters throttling(
            long periods, long throttledPeriods, long throttledUs) {
        return new ThrottlingCounters(
                OptionalLong.of(periods),
                OptionalLong.of(throttledPeriods),
                OptionalLong.of(throttledUs),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /** A sound window of shard n in slot 0. */
    public static ShardWindow window(int shard) {
        return new ShardWindow(
                new Sender("host-1", 7, shard),
                Origin.MEASURED,
                "lab",
                "checkout",
                "shard-" + shard,
                shard,
                MINUTE_US,
                sampling(1000),
                usage(5_000_000, samples(Map.of(0, 500L, 82, 500L))),
                Bandwidth.of(200_000, 100_000),
                OptionalLong.empty(),
                Bandwidth.NONE,
                throttling(100, 10, 400_000),
                OptionalLong.of(8),
                Optional.empty(),
                Optional.empty(),
                HardwareCounters.ABSENT,
                Optional.empty(),
                Placement.ABSENT);
    }

    /** The same window at another place. */
    public static ShardWindow placed(ShardWindow w, Placement placement) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                placement);
    }

    /** A sound report that names two settings of one class. */
    public static HostReport report() {
        return report(AgentConduct.UNEVENTFUL);
    }

    /** The same report of a collector that behaved so. */
    public static HostReport report(AgentConduct conduct) {
        return new HostReport(
                new Sender("host-1", 7, 0),
                Origin.MEASURED,
                "lab",
                MINUTE_US + 10_000_000,
                new HostLoad(
                        1000,
                        0,
                        1,
                        Optional.of(samples(Map.of(82, 1000L)).pack()),
                        OptionalLong.of(10_000_000),
                        OptionalLong.of(0),
                        OptionalLong.of(0),
                        OptionalLong.of(120),
                        OptionalLong.of(2),
                        OptionalLong.of(5_000)),
                new HostShape(
                        2,
                        4_000,
                        0,
                        OptionalLong.of(2_000),
                        "6.18.44",
                        CgroupVersion.V1,
                        OptionalLong.of(250),
                        "tick_poll",
                        4_000),
                3,
                List.of(
                        new ServiceRecords("checkout", Bandwidth.of(200_050, 100_000), 1),
                        new ServiceRecords("checkout", Bandwidth.of(200_000, 100_000), 1),
                        new ServiceRecords("search", Bandwidth.unlimited(100_000), 1)),
                0,
                0,
                new AgentCost(
                        20_000,
                        OptionalLong.empty(),
                        1 << 25,
                        OptionalLong.empty(),
                        0,
                        new TreeMap<>()),
                conduct);
    }
}
