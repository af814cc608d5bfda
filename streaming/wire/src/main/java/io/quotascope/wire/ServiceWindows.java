package io.quotascope.wire;

import io.quotascope.domain.histogram.BetweenShards;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketLayout;
import io.quotascope.domain.histogram.RatioLayout;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.SecondOrderSums;
import io.quotascope.domain.histogram.ThreadsLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.Distributions;
import io.quotascope.domain.window.Exemplars;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.SamplingSums;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.SlotCounts;
import io.quotascope.domain.window.ThreadSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.domain.window.WorstShard;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.TreeMap;

/** ServiceWindow and its domain form. */
public final class ServiceWindows {
    private ServiceWindows() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException when a packing, a slot list or the layout version is not one
     *     that we write
     */
    public static ServiceWindow toDomain(io.quotascope.wire.avro.ServiceWindow avro) {
        if (avro.getLayoutVersion() != UsageLayout.VERSION
                || avro.getWindowUs() != WindowPart.MINUTE_US) {
            throw new IllegalArgumentException(
                    "layout_version "
                            + avro.getLayoutVersion()
                            + ", window_us "
                            + avro.getWindowUs());
        }
        ServiceSums sums =
                new ServiceSums(
                        new ServiceKey(
                                Nullable.origin(avro.getOrigin()),
                                avro.getCluster(),
                                avro.getService(),
                                avro.getQuotaClass()),
                        avro.getWindowStartUs(),
                        new Bandwidth(
                                Nullable.optional(avro.getQuotaUs()),
                                Nullable.optional(avro.getPeriodUs())),
                        new Reporting(
                                SlotCounts.of(avro.getSlotRecords()),
                                SlotCounts.of(avro.getSlotHosts()),
                                avro.getRecords(),
                                avro.getExpectedRecords()),
                        new SamplingSums(
                                avro.getSamples(),
                                avro.getMissedSamples(),
                                avro.getLatenessUsMax()),
                        new UsageSums(
                                avro.getUsageUs(),
                                avro.getSampledUsageUs(),
                                avro.getExcursionSamples(),
                                avro.getExcursionUs()),
                        throttling(avro),
                        new ThreadSums(
                                avro.getThreadsRecords(),
                                avro.getThreadsSum(),
                                avro.getThreadsMax()),
                        distributions(avro),
                        SecondOrderSums.unpack(Nullable.packed(avro.getSecondOrder())),
                        BetweenShards.unpack(Nullable.packed(avro.getBetweenShards())),
                        avro.getWorstShards().stream().map(ServiceWindows::worst).toList(),
                        new TreeMap<>(avro.getKernelHostWindows()),
                        exemplars(avro));
        return new ServiceWindow(sums, avro.getPart(), avro.getRevision());
    }

    private static ThrottlingSums throttling(io.quotascope.wire.avro.ServiceWindow avro) {
        return new ThrottlingSums(
                avro.getBandwidthRecords(),
                avro.getPeriods(),
                avro.getThrottledPeriods(),
                avro.getThrottledUs(),
                avro.getBursts(),
                avro.getBurstUsedUs(),
                avro.getThrottledRunRecords(),
                avro.getThrottledRuns(),
                avro.getThrottledRunPeriodsMax(),
                avro.getThrottledWallRecords(),
                avro.getThrottledWallUs());
    }

    private static Distributions distributions(io.quotascope.wire.avro.ServiceWindow avro) {
        return new Distributions(
                counts(avro.getUsageHistogram(), UsageLayout.V1),
                counts(avro.getUsedCoresHistogram(), UsageLayout.V1),
                counts(avro.getThrottledRatioHistogram(), RatioLayout.INSTANCE),
                Optional.ofNullable(avro.getThreadsHistogram())
                        .map(packed -> counts(packed, ThreadsLayout.INSTANCE)),
                Optional.ofNullable(avro.getRunnableHistogram())
                        .map(packed -> counts(packed, RunnableLayout.INSTANCE)));
    }

    private static BucketCounts counts(ByteBuffer packed, BucketLayout layout) {
        return BucketCounts.unpack(Nullable.packed(packed), layout);
    }

    private static WorstShard worst(io.quotascope.wire.avro.WorstShard avro) {
        return new WorstShard(
                avro.getShardId(),
                avro.getShard(),
                avro.getHostId(),
                avro.getWindowStartUs(),
                avro.getUsageUs(),
                avro.getPeriods(),
                avro.getThrottledPeriods(),
                avro.getThrottledUs(),
                Nullable.optional(avro.getThreads()));
    }

    private static Exemplars exemplars(io.quotascope.wire.avro.ServiceWindow avro) {
        Optional<Exemplars.Drawn> drawn =
                Nullable.optional(avro.getExemplar())
                        .map(
                                samples ->
                                        new Exemplars.Drawn(
                                                Nullable.optional(avro.getExemplarHash())
                                                        .orElseThrow(
                                                                () ->
                                                                        new IllegalArgumentException(
                                                                                "exemplar without exemplar_hash")),
                                                samples));
        return new Exemplars(
                drawn,
                Nullable.optional(avro.getWorstExemplar())
                        .map(samples -> new Exemplars.Worst(Optional.empty(), samples)));
    }

    /** The row as it travels and is stored. */
    public static io.quotascope.wire.avro.ServiceWindow toAvro(ServiceWindow window) {
        ServiceSums sums = window.sums();
        io.quotascope.wire.avro.ServiceWindow avro = new io.quotascope.wire.avro.ServiceWindow();
        avro.setOrigin(Nullable.origin(sums.key().origin()));
        avro.setCluster(sums.key().cluster());
        avro.setService(sums.key().service());
        avro.setQuotaClass(sums.key().quotaClass());
        avro.setWindowStartUs(sums.windowStartUs());
        avro.setPart(window.part());
        avro.setWindowUs(WindowPart.MINUTE_US);
        avro.setRevision(window.revision());
        avro.setQuotaUs(Nullable.orNull(sums.bandwidth().quotaUs()));
        avro.setPeriodUs(Nullable.orNull(sums.bandwidth().periodUs()));
        avro.setSlotRecords(sums.reporting().slotRecords().toList());
        avro.setSlotHosts(sums.reporting().slotHosts().toList());
        avro.setRecords(sums.reporting().records());
        avro.setExpectedRecords(sums.reporting().expectedRecords());
        avro.setSamples(sums.sampling().samples());
        avro.setMissedSamples(sums.sampling().missedSamples());
        avro.setLatenessUsMax(sums.sampling().latenessUsMax());
        avro.setUsageUs(sums.usage().usageUs());
        avro.setSampledUsageUs(sums.usage().sampledUsageUs());
        avro.setExcursionSamples(sums.usage().excursionSamples());
        avro.setExcursionUs(sums.usage().excursionUs());
        setThrottling(avro, sums.throttling());
        setDistributions(avro, sums.distributions());
        avro.setThreadsRecords(sums.threads().records());
        avro.setThreadsSum(sums.threads().sum());
        avro.setThreadsMax(sums.threads().max());
        avro.setSecondOrder(Nullable.buffer(sums.secondOrder().pack()));
        avro.setBetweenShards(Nullable.buffer(sums.betweenShards().pack()));
        avro.setWorstShards(sums.worstShards().stream().map(ServiceWindows::worstToAvro).toList());
        avro.setKernelHostWindows(new TreeMap<>(sums.kernelHostWindows()));
        setExemplars(avro, sums.exemplars());
        return avro;
    }

    private static void setThrottling(
            io.quotascope.wire.avro.ServiceWindow avro, ThrottlingSums sums) {
        avro.setBandwidthRecords(sums.bandwidthRecords());
        avro.setPeriods(sums.periods());
        avro.setThrottledPeriods(sums.throttledPeriods());
        avro.setThrottledUs(sums.throttledUs());
        avro.setBursts(sums.bursts());
        avro.setBurstUsedUs(sums.burstUsedUs());
        avro.setThrottledRunRecords(sums.throttledRunRecords());
        avro.setThrottledRuns(sums.throttledRuns());
        avro.setThrottledRunPeriodsMax(sums.throttledRunPeriodsMax());
        avro.setThrottledWallRecords(sums.throttledWallRecords());
        avro.setThrottledWallUs(sums.throttledWallUs());
    }

    private static void setDistributions(
            io.quotascope.wire.avro.ServiceWindow avro, Distributions merged) {
        avro.setLayoutVersion(UsageLayout.VERSION);
        avro.setUsageHistogram(Nullable.buffer(merged.usage().pack()));
        avro.setUsedCoresHistogram(Nullable.buffer(merged.usedCores().pack()));
        avro.setThrottledRatioHistogram(Nullable.buffer(merged.throttledRatio().pack()));
        avro.setThreadsHistogram(Nullable.orNull(merged.threads().map(BucketCounts::pack)));
        avro.setRunnableHistogram(Nullable.orNull(merged.runnable().map(BucketCounts::pack)));
    }

    private static io.quotascope.wire.avro.WorstShard worstToAvro(WorstShard worst) {
        return new io.quotascope.wire.avro.WorstShard(
                worst.shardId(),
                worst.shard(),
                worst.hostId(),
                worst.windowStartUs(),
                worst.usageUs(),
                worst.periods(),
                worst.throttledPeriods(),
                worst.throttledUs(),
                Nullable.orNull(worst.threads()));
    }

    private static void setExemplars(
            io.quotascope.wire.avro.ServiceWindow avro, Exemplars exemplars) {
        avro.setExemplar(Nullable.orNull(exemplars.drawn().map(Exemplars.Drawn::samples)));
        avro.setExemplarHash(exemplars.drawn().map(Exemplars.Drawn::hash).orElse(null));
        avro.setWorstExemplar(Nullable.orNull(exemplars.worst().map(Exemplars.Worst::samples)));
    }
}
