package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Minutes of a service of bursty threads under a quota of one core, by the simulator. */
final class SimulatedMinutes {
    static final long START_US = 1_795_164_120_000_000L;
    private static final int CPUS = 8;

    private SimulatedMinutes() {}

    /**
     * Minutes of shards.
     *
     * @param threads of each shard: its load
     */
    static SortedMap<Long, ServiceSums> of(int minutes, int... threads) {
        SimulationSetup setup =
                SimulationSetup.of(
                        CPUS,
                        new CpuLimit.Quota(100_000, 100_000, 0, 0),
                        KernelRules.EXACT,
                        minutes * 60_000_000L);
        List<ShardWindow> records = new ArrayList<>();
        for (int shard = 0; shard < threads.length; shard++) {
            records.addAll(
                    ObservedWindows.of(
                            setup,
                            CfsSimulator.run(setup, plans(minutes, threads[shard], 11 + shard)),
                            new ObservedShard(
                                    "checkout", "shard-" + shard, START_US, threads[shard], true)));
        }
        SortedMap<Long, ServiceSums> sums = new TreeMap<>();
        ObservedWindows.sums(records).forEach(minute -> sums.put(minute.windowStartUs(), minute));
        return sums;
    }

    private static List<TaskPlan> plans(int minutes, int threads, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TaskPlan> plans = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            List<TaskPlan.Burst> bursts = new ArrayList<>();
            for (int burst = 0; burst < 40; burst++) {
                bursts.add(
                        new TaskPlan.Burst(
                                random.nextLong(2_000, 25_000), random.nextLong(40_000, 460_000)));
            }
            plans.add(new TaskPlan(random.nextLong(100_000), bursts, 8 * minutes));
        }
        return plans;
    }
}
