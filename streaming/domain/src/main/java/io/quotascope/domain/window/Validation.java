package io.quotascope.domain.window;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.SecondOrderSums;
import io.quotascope.domain.histogram.UsageLayout;
import java.util.List;
import java.util.Optional;

/**
 * The bounds of every field, looked at in the order of the schema; the first fault names the
 * refusal. What passes cannot break the arithmetic behind it. Whether the record's time fits its
 * append time is {@link WindowPart#refusalOf}.
 */
public final class Validation {
    /** A shard cannot use more than 4096 CPUs for 10 s. */
    private static final long USAGE_US_MAX = WindowPart.WINDOW_US * 4096;

    private static final int SAMPLE_INTERVAL_US_MIN = 1_000;
    private static final int SAMPLE_INTERVAL_US_MAX = 1_000_000;
    private static final long PERIOD_US_MIN = 1_000;
    private static final long PERIOD_US_MAX = 1_000_000;

    /** More CPUs than any kernel can be built for (CONFIG_NR_CPUS of x86-64 ends at 8192). */
    private static final long CPUS_MAX = 8192;

    private static final int PROTECTION_STEP_MAX = 3;

    private Validation() {}

    /** The first field of a shard window outside its bounds. */
    public static Optional<Refusal> of(ShardWindow window) {
        FieldBounds bounds = new FieldBounds();
        sender(bounds, window.sender(), window.cluster());
        bounds.text("service", window.service()).text("shard", window.shard());
        sampling(bounds, window.sampling());
        usage(bounds, window.usage(), window.sampling().samples());
        bandwidth(bounds, window);
        throttling(bounds, window.throttling());
        bounds.count("threads", window.threads());
        window.runnableHistogram()
                .ifPresent(
                        packed ->
                                bounds.holdsAtMost(
                                        "runnable_histogram",
                                        BucketCounts.check(packed, RunnableLayout.INSTANCE),
                                        window.sampling().samples()));
        hardware(bounds, window.hardware());
        placement(bounds, window.placement());
        return bounds.refusal();
    }

    /** The first field of a host report outside its bounds. */
    public static Optional<Refusal> of(HostReport report) {
        FieldBounds bounds = new FieldBounds();
        sender(bounds, report.sender(), report.cluster());
        hostLoad(bounds, report.load());
        hostShape(bounds, report.shape());
        bounds.count("shard_records", report.shardRecords());
        serviceRecords(bounds, "service_records", report.serviceRecords());
        bounds.count("untracked_cgroups", report.untrackedCgroups())
                .count("overflow_cgroups", report.overflowCgroups());
        agent(bounds, report.agent());
        conduct(bounds, report.conduct());
        serviceRecords(bounds, "first_records", report.firstRecords());
        return bounds.refusal();
    }

    private static void sender(FieldBounds bounds, Sender sender, String cluster) {
        bounds.text("host_id", sender.hostId())
                .within("agent_epoch", sender.agentEpoch(), 1, Long.MAX_VALUE)
                .within("seq", sender.seq(), 0, Long.MAX_VALUE)
                .text("cluster", cluster);
    }

    private static void sampling(FieldBounds bounds, Sampling sampling) {
        bounds.within(
                        "sample_interval_us",
                        sampling.sampleIntervalUs(),
                        SAMPLE_INTERVAL_US_MIN,
                        SAMPLE_INTERVAL_US_MAX)
                .count("samples", sampling.samples())
                .count("missed_samples", sampling.missedSamples())
                .count("lateness_us_max", sampling.latenessUsMax());
    }

    private static void usage(FieldBounds bounds, UsageReading usage, int samples) {
        bounds.within("usage_us", usage.usageUs(), 0, USAGE_US_MAX)
                .count("sampled_usage_us", usage.sampledUsageUs())
                .within(
                        "layout_version",
                        usage.layoutVersion(),
                        UsageLayout.VERSION,
                        UsageLayout.VERSION)
                .holds(
                        "usage_histogram",
                        BucketCounts.check(usage.histogram(), UsageLayout.V1),
                        samples)
                .count("excursion_samples", usage.excursionSamples())
                .count("excursion_us", usage.excursionUs())
                .holds("second_order", SecondOrderSums.check(usage.secondOrder()), samples);
    }

    private static void bandwidth(FieldBounds bounds, ShardWindow window) {
        bounds.within("quota_us", window.bandwidth().quotaUs(), 1, FieldBounds.EXACT_MAX)
                .within("period_us", window.bandwidth().periodUs(), PERIOD_US_MIN, PERIOD_US_MAX)
                .count("burst_us", window.burstUs())
                .count("ancestor_quota_us", window.ancestorBandwidth().quotaUs())
                .count("ancestor_period_us", window.ancestorBandwidth().periodUs());
    }

    private static void throttling(FieldBounds bounds, ThrottlingCounters counters) {
        bounds.count("periods", counters.periods())
                .count("throttled_periods", counters.throttledPeriods())
                .count("throttled_us", counters.throttledUs())
                .count("bursts", counters.bursts())
                .count("burst_used_us", counters.burstUsedUs())
                .count("throttled_runs", counters.throttledRuns())
                .count("throttled_run_periods_max", counters.throttledRunPeriodsMax())
                .count("throttled_wall_us", counters.throttledWallUs());
    }

    private static void hardware(FieldBounds bounds, HardwareCounters hardware) {
        bounds.count("cycles_below_quota", hardware.cyclesBelowQuota())
                .count("cycles_above_quota", hardware.cyclesAboveQuota())
                .count("instructions_below_quota", hardware.instructionsBelowQuota())
                .count("instructions_above_quota", hardware.instructionsAboveQuota());
    }

    private static void hostLoad(FieldBounds bounds, HostLoad load) {
        bounds.count("samples", load.samples())
                .count("missed_samples", load.missedSamples())
                .within(
                        "layout_version",
                        load.layoutVersion(),
                        UsageLayout.VERSION,
                        UsageLayout.VERSION);
        load.usageHistogram()
                .ifPresent(
                        packed ->
                                bounds.holds(
                                        "usage_histogram",
                                        BucketCounts.check(packed, UsageLayout.V1),
                                        load.samples()));
        bounds.count("usage_us", load.usageUs())
                .count("steal_us", load.stealUs())
                .count("irq_us", load.irqUs())
                .count("threads", load.threads())
                .count("runnable_threads", load.runnableThreads())
                .count("context_switches", load.contextSwitches());
    }

    private static void hostShape(FieldBounds bounds, HostShape shape) {
        bounds.count("cpus", shape.cpus())
                .count("quota_millicores", shape.quotaMillicores())
                .count("unlimited_shards", shape.unlimitedShards())
                .count("share_millicores", shape.shareMillicores())
                .text("kernel_release", shape.kernelRelease())
                .count("tick_hz", shape.tickHz())
                .count("sampling_uncertainty_us", shape.samplingUncertaintyUs());
    }

    private static void serviceRecords(
            FieldBounds bounds, String field, List<ServiceRecords> records) {
        for (ServiceRecords stated : records) {
            bounds.text(field + ".service", stated.service())
                    .within(
                            field + ".quota_us",
                            stated.bandwidth().quotaUs(),
                            1,
                            FieldBounds.EXACT_MAX)
                    .within(
                            field + ".period_us",
                            stated.bandwidth().periodUs(),
                            PERIOD_US_MIN,
                            PERIOD_US_MAX)
                    .count(field + ".shard_records", stated.shardRecords());
        }
    }

    private static void agent(FieldBounds bounds, AgentCost agent) {
        bounds.count("agent_cpu_us", agent.cpuUs())
                .count("bpf_run_us", agent.bpfRunUs())
                .count("agent_rss_bytes", agent.rssBytes())
                .count("bpf_map_bytes", agent.bpfMapBytes())
                .count("spool_bytes", agent.spoolBytes());
        agent.drops().forEach((reason, records) -> bounds.count("drops", records));
    }

    private static void placement(FieldBounds bounds, Placement placement) {
        Bandwidth nearest = placement.nearestAncestorBandwidth();
        bounds.count("nearest_ancestor_quota_us", nearest.quotaUs())
                .count("nearest_ancestor_period_us", nearest.periodUs())
                .count("ancestor_periods", placement.ancestorPeriods())
                .count("ancestor_throttled_periods", placement.ancestorThrottledPeriods())
                .count("ancestor_throttled_us", placement.ancestorThrottledUs())
                .within("cpus_allowed", placement.cpusAllowed(), 1, CPUS_MAX)
                .within("period_phase_us", placement.periodPhaseUs(), 0, PERIOD_US_MAX);
    }

    private static void conduct(FieldBounds bounds, AgentConduct conduct) {
        bounds.within("protection_step", conduct.protectionStep(), 0, PROTECTION_STEP_MAX);
        conduct.protectionReason().ifPresent(reason -> bounds.text("protection_reason", reason));
        bounds.count("budget_skipped_cgroups", conduct.budgetSkippedCgroups())
                .count("short_lived_cgroups", conduct.shortLivedCgroups())
                .count("short_lived_usage_us", conduct.shortLivedUsageUs())
                .count("clock_steps", conduct.clockSteps())
                .count("late_windows", conduct.lateWindows());
    }
}
