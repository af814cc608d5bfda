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
        return of(shards, input, OptionalDouble.empty());
    }

    /**
     * The same where the price of concurrency was measured.
     *
     * @param kappa the price; absent = not measured
     */
    static Observation of(List<KernelRun> shards, Input input, OptionalDouble kappa) {
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
                kappa);
    }

    /**
     * Reads come late on a busy machine, and then several at once: usage is spread evenly between
     * two reads and cut anew every 10 ms; counters are those of the last read.
     */
    private static SimulationOutcome outcome(KernelRun run) {
        List<TraceSample> samples = new ArrayList<>();
        List<SimulationOutcome.PeriodUse> periods = new ArrayList<>();
        CpuStat stat = CpuStat.NONE;
        long readUs = 0;
        double usedBefore = 0;
        double read = 0;
        for (KernelRun.Sample between : run.samples()) {
            long untilUs = readUs + between.elapsedUs();
            CpuStat after = plus(stat, between);
            long endUs = (samples.size() + 1) * SLOT_US;
            for (; endUs <= Math.min(untilUs, run.horizonUs()); endUs += SLOT_US) {
                double share = (endUs - readUs) / (double) between.elapsedUs();
                double used = read + share * between.usageUs();
                samples.add(sample(endUs, used - usedBefore, endUs < untilUs ? stat : after));
                usedBefore = used;
            }
            for (int period = 0; period < between.periods(); period++) {
                boolean throttled = period < between.throttledPeriods();
                periods.add(
                        new SimulationOutcome.PeriodUse(
                                Math.min(untilUs, run.horizonUs()) - 1, 0, throttled));
            }
            stat = after;
            read += between.usageUs();
            readUs = untilUs;
        }
        fillUp(samples, run.horizonUs(), stat);
        return new SimulationOutcome(
                stat,
                new SimulationOutcome.ArticleCounts(0, 0),
                Math.round(usedBefore),
                List.of(),
                0,
                List.of(),
                samples,
                periods);
    }

    private static CpuStat plus(CpuStat stat, KernelRun.Sample more) {
        return new CpuStat(
                stat.periods() + more.periods(),
                stat.throttledPeriods() + more.throttledPeriods(),
                stat.throttledUs() + more.throttledUs(),
                0,
                0);
    }

    private static TraceSample sample(long endUs, double usedUs, CpuStat stat) {
        return new TraceSample(endUs, Math.round(usedUs), 0, 0, 0, stat);
    }

    /** The last reads may come after the end; without them the last 10 s would not be whole. */
    private static void fillUp(List<TraceSample> samples, long horizonUs, CpuStat stat) {
        long wanted = horizonUs / SLOT_US;
        if (samples.isEmpty() || wanted - samples.size() > LATE_SAMPLES_MAX) {
            return;
        }
        long lastUs = samples.get(samples.size() - 1).usageUs();
        while (samples.size() < wanted) {
            samples.add(sample((samples.size() + 1) * SLOT_US, lastUs, stat));
        }
    }

    private static ShardWindow withoutWhatPollingCannotSee(ShardWindow window) {
        return window.with(polled(window.throttling()), Optional.empty(), window.exemplar());
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
