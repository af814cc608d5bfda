package io.quotascope.validate.kernel;

import io.quotascope.domain.cfs.CpuStat;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.TraceSample;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.ThrottlingCounters;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Makes an observation of a sampled run of a real kernel. */
final class KernelSeen {
    private static final long SLOT_US = 10_000;
    private static final int LATE_SAMPLES_MAX = 5;

    private KernelSeen() {}

    /**
     * What an estimator sees of a service; runnable threads and throttled wall time are not known
     * to polling.
     *
     * @param shards sampled runs of all its shards at the same time
     */
    static Observation of(List<KernelRun> shards, Input input) {
        List<ShardWindow> records = new ArrayList<>();
        for (KernelRun run : shards) {
            ObservedShard shard =
                    new ObservedShard(
                            run.name(),
                            "shard-" + run.place().shard(),
                            0,
                            run.threads(),
                            input != Input.SUMMARIES);
            ObservedWindows.of(run.setup(0), outcome(run), shard).stream()
                    .map(KernelSeen::withoutWhatPollingCannotSee)
                    .forEach(records::add);
        }
        KernelRun first = shards.get(0);
        Optional<Client> client =
                first.impatient() ? Optional.of(first.client()) : Optional.empty();
        return new Observation(
                input,
                ObservedWindows.sums(records),
                input == Input.RECORDING ? records : List.of(),
                first.quota(),
                first.cpus(),
                client,
                OptionalDouble.empty());
    }

    /** A sample is 10 ms long on paper: what was used in it is brought to that length. */
    private static SimulationOutcome outcome(KernelRun run) {
        List<TraceSample> samples = new ArrayList<>();
        List<SimulationOutcome.PeriodUse> periods = new ArrayList<>();
        CpuStat stat = CpuStat.NONE;
        long usageUs = 0;
        for (KernelRun.Sample read : run.samples()) {
            long endUs = (samples.size() + 1) * SLOT_US;
            long used = Math.round(read.usageUs() * (double) SLOT_US / read.elapsedUs());
            usageUs += used;
            stat =
                    new CpuStat(
                            stat.periods() + read.periods(),
                            stat.throttledPeriods() + read.throttledPeriods(),
                            stat.throttledUs() + read.throttledUs(),
                            0,
                            0);
            for (int period = 0; period < read.periods(); period++) {
                periods.add(
                        new SimulationOutcome.PeriodUse(
                                endUs - 1, 0, period < read.throttledPeriods()));
            }
            samples.add(new TraceSample(endUs, used, 0, 0, 0, stat));
        }
        fillUp(samples, run.horizonUs());
        return new SimulationOutcome(
                stat,
                new SimulationOutcome.ArticleCounts(0, 0),
                usageUs,
                List.of(),
                0,
                List.of(),
                samples,
                periods);
    }

    /** The last reads may come after the end; without them the last 10 s would not be whole. */
    private static void fillUp(List<TraceSample> samples, long horizonUs) {
        long wanted = horizonUs / SLOT_US;
        if (wanted - samples.size() > LATE_SAMPLES_MAX) {
            return;
        }
        while (samples.size() < wanted) {
            TraceSample last = samples.get(samples.size() - 1);
            long endUs = (samples.size() + 1) * SLOT_US;
            samples.add(new TraceSample(endUs, last.usageUs(), 0, 0, 0, last.stat()));
        }
    }

    private static ShardWindow withoutWhatPollingCannotSee(ShardWindow window) {
        return new ShardWindow(
                window.sender(),
                window.origin(),
                window.cluster(),
                window.service(),
                window.shard(),
                window.shardId(),
                window.windowStartUs(),
                window.sampling(),
                window.usage(),
                window.bandwidth(),
                window.burstUs(),
                window.ancestorBandwidth(),
                polled(window.throttling()),
                window.threads(),
                Optional.empty(),
                window.exemplar(),
                window.hardware(),
                window.excursionThreads(),
                window.placement());
    }

    private static ThrottlingCounters polled(ThrottlingCounters counters) {
        return new ThrottlingCounters(
                counters.periods(),
                counters.throttledPeriods(),
                counters.throttledUs(),
                counters.bursts(),
                counters.burstUsedUs(),
                counters.throttledRuns(),
                counters.throttledRunPeriodsMax(),
                OptionalLong.empty());
    }
}
