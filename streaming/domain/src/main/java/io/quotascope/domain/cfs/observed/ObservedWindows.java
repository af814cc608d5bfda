package io.quotascope.domain.cfs.observed;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.CpuStat;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TraceSample;
import io.quotascope.domain.histogram.LaggedSamples;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.Sampling;
import io.quotascope.domain.window.SamplingMethod;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.ThrottlingCounters;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Turns a simulated run into the records of its shard, one for every whole 10 s, and records into
 * the sums that a judgement reads.
 */
public final class ObservedWindows {
    private static final String CLUSTER = "simulated";
    private static final String KERNEL = "simulated";

    /** Throttled runs are not stated for shorter periods, because samples cannot order them. */
    private static final long RUN_PERIOD_US_MIN = 50_000;

    private final SimulationSetup setup;
    private final SimulationOutcome outcome;
    private final ObservedShard shard;
    private final Optional<CpuLimit.Quota> quota;
    private final LaggedSamples lagged = new LaggedSamples();
    private final ThrottledRuns runs = new ThrottledRuns();
    private CpuStat before = CpuStat.NONE;
    private int nextPeriod;

    private ObservedWindows(SimulationSetup setup, SimulationOutcome outcome, ObservedShard shard) {
        this.setup = setup;
        this.outcome = outcome;
        this.shard = shard;
        quota =
                setup.limit() instanceof CpuLimit.Quota limited
                        ? Optional.of(limited)
                        : Optional.empty();
    }

    /**
     * The records of a run, oldest first. What remains of the run after the last whole 10 s is left
     * out.
     *
     * @throws IllegalArgumentException when 10 s is no whole number of samples
     */
    public static List<ShardWindow> of(
            SimulationSetup setup, SimulationOutcome outcome, ObservedShard shard) {
        if (WindowPart.WINDOW_US % setup.sampleIntervalUs() != 0) {
            throw new IllegalArgumentException(
                    "10 s must be whole samples: " + setup.sampleIntervalUs());
        }
        return new ObservedWindows(setup, outcome, shard).windows();
    }

    /** The sums of records by minute, oldest first, complete by the word of a host. */
    public static List<ServiceSums> sums(List<ShardWindow> records) {
        Map<Long, ServiceAccumulator> minutes = new TreeMap<>();
        for (ShardWindow record : records) {
            long minute = WindowPart.minuteOf(record.windowStartUs());
            ServiceAccumulator sums =
                    minutes.computeIfAbsent(
                            minute, start -> new ServiceAccumulator(record.key(), start));
            sums.add(record);
            sums.add(
                    new HostStatement(
                            record.key(), record.windowStartUs(), record.bandwidth(), 1, KERNEL));
        }
        return minutes.values().stream().map(ServiceAccumulator::toServiceSums).toList();
    }

    private List<ShardWindow> windows() {
        int perWindow = (int) (WindowPart.WINDOW_US / setup.sampleIntervalUs());
        List<TraceSample> samples = outcome.samples();
        List<ShardWindow> windows = new ArrayList<>();
        for (int first = 0; first + perWindow <= samples.size(); first += perWindow) {
            WindowTally tally = new WindowTally(quota, setup.sampleIntervalUs(), perWindow);
            for (int sample = first; sample < first + perWindow; sample++) {
                tally.add(samples.get(sample), sample, lagged);
            }
            windows.add(window(windows.size(), tally, samples.get(first + perWindow - 1)));
        }
        return windows;
    }

    private ShardWindow window(int number, WindowTally tally, TraceSample last) {
        return new ShardWindow(
                new Sender(KERNEL, 1, number),
                Origin.SIMULATED,
                CLUSTER,
                shard.service(),
                shard.shard(),
                shard.shard().hashCode(),
                shard.windowStartUs() + number * WindowPart.WINDOW_US,
                new Sampling(
                        (int) setup.sampleIntervalUs(),
                        tally.samples(),
                        0,
                        0,
                        SamplingMethod.SIMULATION),
                tally.reading(lagged.take()),
                quota.map(limit -> Bandwidth.of(limit.quotaUs(), limit.periodUs()))
                        .orElse(Bandwidth.unlimited(100_000)),
                OptionalLong.of(quota.map(CpuLimit.Quota::burstUs).orElse(0L)),
                Bandwidth.NONE,
                throttling(tally, last),
                OptionalLong.of(shard.threads()),
                Optional.of(tally.runnableHistogram()),
                shard.exemplars() ? Optional.of(tally.exemplar()) : Optional.empty(),
                HardwareCounters.ABSENT,
                Optional.empty(),
                placement());
    }

    private ThrottlingCounters throttling(WindowTally tally, TraceSample last) {
        CpuStat now = last.stat();
        runs.nextWindow();
        List<SimulationOutcome.PeriodUse> periods = outcome.periods();
        while (nextPeriod < periods.size() && periods.get(nextPeriod).endUs() < last.endUs()) {
            runs.add(periods.get(nextPeriod++).throttled());
        }
        boolean ordered = quota.isEmpty() || quota.get().periodUs() >= RUN_PERIOD_US_MIN;
        ThrottlingCounters counters =
                new ThrottlingCounters(
                        OptionalLong.of(now.periods() - before.periods()),
                        OptionalLong.of(now.throttledPeriods() - before.throttledPeriods()),
                        OptionalLong.of(now.throttledUs() - before.throttledUs()),
                        OptionalLong.of(now.bursts() - before.bursts()),
                        OptionalLong.of(now.burstUs() - before.burstUs()),
                        ordered ? OptionalLong.of(runs.seen()) : OptionalLong.empty(),
                        ordered ? OptionalLong.of(runs.longest()) : OptionalLong.empty(),
                        OptionalLong.of(tally.throttledWallUs()));
        before = now;
        return counters;
    }

    private Placement placement() {
        return new Placement(
                Bandwidth.NONE,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(setup.limit().cpusOf(setup.hostCpus())),
                quota.isEmpty() ? OptionalLong.empty() : OptionalLong.of(quota.get().phaseUs()));
    }
}
