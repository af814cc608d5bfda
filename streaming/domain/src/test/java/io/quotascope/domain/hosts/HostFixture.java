package io.quotascope.domain.hosts;

import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.window.AgentConduct;
import io.quotascope.domain.window.AgentCost;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.CgroupVersion;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.HostLoad;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.HostShape;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.UsageReading;
import io.quotascope.domain.window.WindowFixture;
import io.quotascope.domain.window.WindowPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Windows of one host, to be varied. */
final class HostFixture {
    /** 2026-11-20T09:00:00Z, a whole hour. */
    static final long HOUR_US = 1_795_165_200_000_000L;

    static final HostKey KEY = new HostKey(Origin.MEASURED, "eu", "host-1");

    long shardId = 1;
    String service = "checkout";
    long epoch = 7;
    int window;
    long usageUs = 5_000_000;
    Bandwidth bandwidth = Bandwidth.of(100_000, 100_000);
    long throttledPeriods;
    long excursionUs;
    Optional<PackedBytes> runnable = Optional.empty();
    String kernel = "6.1.0";
    int cpus = 8;
    long hostUsageUs = 20_000_000;
    long threads = 200;

    long windowStartUs() {
        return HOUR_US + window * WindowPart.WINDOW_US;
    }

    /** So many threads wanted to run in each of 1000 samples. */
    HostFixture runnable(int threadsRunnable) {
        BucketTally tally = new BucketTally();
        tally.add(io.quotascope.domain.histogram.RunnableLayout.bucket(threadsRunnable), 1_000);
        runnable = Optional.of(tally.toCounts().pack());
        return this;
    }

    ShardWindow shard() {
        ShardWindow sound = WindowFixture.window((int) shardId);
        UsageReading usage = sound.usage();
        return new ShardWindow(
                new Sender("host-1", epoch, window),
                Origin.MEASURED,
                "eu",
                service,
                String.valueOf(shardId),
                shardId,
                windowStartUs(),
                sound.sampling(),
                new UsageReading(
                        usageUs,
                        usageUs,
                        1,
                        usage.histogram(),
                        OptionalLong.of(excursionUs > 0 ? 1 : 0),
                        OptionalLong.of(excursionUs),
                        usage.secondOrder()),
                bandwidth,
                OptionalLong.empty(),
                Bandwidth.NONE,
                WindowFixture.throttling(100, throttledPeriods, 0),
                OptionalLong.of(8),
                runnable,
                Optional.empty(),
                HardwareCounters.ABSENT,
                Optional.empty(),
                Placement.ABSENT);
    }

    HostReport host() {
        return new HostReport(
                new Sender("host-1", epoch, window),
                Origin.MEASURED,
                "eu",
                windowStartUs(),
                new HostLoad(
                        1_000,
                        0,
                        1,
                        Optional.empty(),
                        OptionalLong.of(hostUsageUs),
                        OptionalLong.of(0),
                        OptionalLong.empty(),
                        OptionalLong.of(threads),
                        OptionalLong.of(3),
                        OptionalLong.of(5_000)),
                new HostShape(
                        cpus,
                        4_000,
                        1,
                        OptionalLong.empty(),
                        kernel,
                        CgroupVersion.V1,
                        OptionalLong.of(250),
                        "ebpf",
                        0),
                2,
                List.of(),
                0,
                0,
                new AgentCost(
                        90_000,
                        OptionalLong.of(10_000),
                        50_000_000,
                        OptionalLong.empty(),
                        7,
                        Map.of("spool_full", 2L, "oversize", 1L)),
                AgentConduct.UNEVENTFUL);
    }
}
