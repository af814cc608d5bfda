package io.quotascope.wire;

import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.ExcursionThread;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.Sampling;
import io.quotascope.domain.window.SamplingMethod;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.ThrottlingCounters;
import io.quotascope.domain.window.UsageReading;
import io.quotascope.wire.avro.CpuUsageWindow;
import java.util.List;
import java.util.Optional;

/** CpuUsageWindow and its domain form. */
public final class ShardWindows {
    private ShardWindows() {}

    /** The domain form; nothing is checked. */
    public static ShardWindow toDomain(CpuUsageWindow avro) {
        return new ShardWindow(
                new Sender(avro.getHostId(), avro.getAgentEpoch(), avro.getSeq()),
                Nullable.origin(avro.getOrigin()),
                avro.getCluster(),
                avro.getService(),
                avro.getShard(),
                avro.getShardId(),
                avro.getWindowStartUs(),
                new Sampling(
                        avro.getSampleIntervalUs(),
                        avro.getSamples(),
                        avro.getMissedSamples(),
                        avro.getLatenessUsMax(),
                        method(avro.getMethod())),
                usage(avro),
                new Bandwidth(
                        Nullable.optional(avro.getQuotaUs()),
                        Nullable.optional(avro.getPeriodUs())),
                Nullable.optional(avro.getBurstUs()),
                new Bandwidth(
                        Nullable.optional(avro.getAncestorQuotaUs()),
                        Nullable.optional(avro.getAncestorPeriodUs())),
                throttling(avro),
                Nullable.optional(avro.getThreads()),
                Nullable.optional(avro.getRunnableHistogram()),
                Nullable.optional(avro.getExemplar()),
                new HardwareCounters(
                        Nullable.optional(avro.getCyclesBelowQuota()),
                        Nullable.optional(avro.getCyclesAboveQuota()),
                        Nullable.optional(avro.getInstructionsBelowQuota()),
                        Nullable.optional(avro.getInstructionsAboveQuota())),
                Optional.ofNullable(avro.getExcursionThreads()).map(ShardWindows::threads),
                placement(avro));
    }

    private static UsageReading usage(CpuUsageWindow avro) {
        return new UsageReading(
                avro.getUsageUs(),
                avro.getSampledUsageUs(),
                avro.getLayoutVersion(),
                Nullable.packed(avro.getUsageHistogram()),
                Nullable.widened(avro.getExcursionSamples()),
                Nullable.optional(avro.getExcursionUs()),
                Nullable.packed(avro.getSecondOrder()));
    }

    private static ThrottlingCounters throttling(CpuUsageWindow avro) {
        return new ThrottlingCounters(
                Nullable.optional(avro.getPeriods()),
                Nullable.optional(avro.getThrottledPeriods()),
                Nullable.optional(avro.getThrottledUs()),
                Nullable.optional(avro.getBursts()),
                Nullable.optional(avro.getBurstUsedUs()),
                Nullable.widened(avro.getThrottledRuns()),
                Nullable.widened(avro.getThrottledRunPeriodsMax()),
                Nullable.optional(avro.getThrottledWallUs()));
    }

    private static Placement placement(CpuUsageWindow avro) {
        return new Placement(
                new Bandwidth(
                        Nullable.optional(avro.getNearestAncestorQuotaUs()),
                        Nullable.optional(avro.getNearestAncestorPeriodUs())),
                Nullable.optional(avro.getAncestorPeriods()),
                Nullable.optional(avro.getAncestorThrottledPeriods()),
                Nullable.optional(avro.getAncestorThrottledUs()),
                Nullable.widened(avro.getCpusAllowed()),
                Nullable.widened(avro.getPeriodPhaseUs()));
    }

    private static List<ExcursionThread> threads(
            List<io.quotascope.wire.avro.ExcursionThread> avro) {
        return avro.stream()
                .map(thread -> new ExcursionThread(thread.getComm(), thread.getUsageUs()))
                .toList();
    }

    /** The record as it travels. */
    public static CpuUsageWindow toAvro(ShardWindow window) {
        CpuUsageWindow avro = new CpuUsageWindow();
        avro.setHostId(window.sender().hostId());
        avro.setAgentEpoch(window.sender().agentEpoch());
        avro.setSeq(window.sender().seq());
        avro.setCluster(window.cluster());
        avro.setOrigin(Nullable.origin(window.origin()));
        avro.setWindowStartUs(window.windowStartUs());
        avro.setShardId(window.shardId());
        avro.setService(window.service());
        avro.setShard(window.shard());
        avro.setSampleIntervalUs(window.sampling().sampleIntervalUs());
        avro.setSamples(window.sampling().samples());
        avro.setMissedSamples(window.sampling().missedSamples());
        avro.setLatenessUsMax(window.sampling().latenessUsMax());
        avro.setMethod(method(window.sampling().method()));
        setUsage(avro, window.usage());
        avro.setQuotaUs(Nullable.orNull(window.bandwidth().quotaUs()));
        avro.setPeriodUs(Nullable.orNull(window.bandwidth().periodUs()));
        avro.setBurstUs(Nullable.orNull(window.burstUs()));
        avro.setAncestorQuotaUs(Nullable.orNull(window.ancestorBandwidth().quotaUs()));
        avro.setAncestorPeriodUs(Nullable.orNull(window.ancestorBandwidth().periodUs()));
        setThrottling(avro, window.throttling());
        avro.setThreads(Nullable.orNull(window.threads()));
        avro.setRunnableHistogram(Nullable.orNull(window.runnableHistogram()));
        avro.setExemplar(Nullable.orNull(window.exemplar()));
        avro.setCyclesBelowQuota(Nullable.orNull(window.hardware().cyclesBelowQuota()));
        avro.setCyclesAboveQuota(Nullable.orNull(window.hardware().cyclesAboveQuota()));
        avro.setInstructionsBelowQuota(Nullable.orNull(window.hardware().instructionsBelowQuota()));
        avro.setInstructionsAboveQuota(Nullable.orNull(window.hardware().instructionsAboveQuota()));
        avro.setExcursionThreads(
                window.excursionThreads().map(ShardWindows::threadsToAvro).orElse(null));
        setPlacement(avro, window.placement());
        return avro;
    }

    private static void setUsage(CpuUsageWindow avro, UsageReading usage) {
        avro.setUsageUs(usage.usageUs());
        avro.setSampledUsageUs(usage.sampledUsageUs());
        avro.setLayoutVersion(usage.layoutVersion());
        avro.setUsageHistogram(Nullable.buffer(usage.histogram()));
        avro.setExcursionSamples(Nullable.intOrNull(usage.excursionSamples()));
        avro.setExcursionUs(Nullable.orNull(usage.excursionUs()));
        avro.setSecondOrder(Nullable.buffer(usage.secondOrder()));
    }

    private static void setPlacement(CpuUsageWindow avro, Placement placement) {
        Bandwidth nearest = placement.nearestAncestorBandwidth();
        avro.setNearestAncestorQuotaUs(Nullable.orNull(nearest.quotaUs()));
        avro.setNearestAncestorPeriodUs(Nullable.orNull(nearest.periodUs()));
        avro.setAncestorPeriods(Nullable.orNull(placement.ancestorPeriods()));
        avro.setAncestorThrottledPeriods(Nullable.orNull(placement.ancestorThrottledPeriods()));
        avro.setAncestorThrottledUs(Nullable.orNull(placement.ancestorThrottledUs()));
        avro.setCpusAllowed(Nullable.intOrNull(placement.cpusAllowed()));
        avro.setPeriodPhaseUs(Nullable.intOrNull(placement.periodPhaseUs()));
    }

    private static void setThrottling(CpuUsageWindow avro, ThrottlingCounters counters) {
        avro.setPeriods(Nullable.orNull(counters.periods()));
        avro.setThrottledPeriods(Nullable.orNull(counters.throttledPeriods()));
        avro.setThrottledUs(Nullable.orNull(counters.throttledUs()));
        avro.setBursts(Nullable.orNull(counters.bursts()));
        avro.setBurstUsedUs(Nullable.orNull(counters.burstUsedUs()));
        avro.setThrottledRuns(Nullable.intOrNull(counters.throttledRuns()));
        avro.setThrottledRunPeriodsMax(Nullable.intOrNull(counters.throttledRunPeriodsMax()));
        avro.setThrottledWallUs(Nullable.orNull(counters.throttledWallUs()));
    }

    private static List<io.quotascope.wire.avro.ExcursionThread> threadsToAvro(
            List<ExcursionThread> threads) {
        return threads.stream()
                .map(
                        thread ->
                                new io.quotascope.wire.avro.ExcursionThread(
                                        thread.comm(), thread.usageUs()))
                .toList();
    }

    private static SamplingMethod method(io.quotascope.wire.avro.SamplingMethod method) {
        return switch (method) {
            case ebpf -> SamplingMethod.EBPF;
            case tick_poll -> SamplingMethod.TICK_POLL;
            case replay -> SamplingMethod.REPLAY;
            case simulation -> SamplingMethod.SIMULATION;
        };
    }

    private static io.quotascope.wire.avro.SamplingMethod method(SamplingMethod method) {
        return switch (method) {
            case EBPF -> io.quotascope.wire.avro.SamplingMethod.ebpf;
            case TICK_POLL -> io.quotascope.wire.avro.SamplingMethod.tick_poll;
            case REPLAY -> io.quotascope.wire.avro.SamplingMethod.replay;
            case SIMULATION -> io.quotascope.wire.avro.SamplingMethod.simulation;
        };
    }
}
