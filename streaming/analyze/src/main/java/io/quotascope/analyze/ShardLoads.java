package io.quotascope.analyze;

import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.window.ShardWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How unevenly the recorded shards of a service are loaded, and what that does to its cliff.
 *
 * @param shards shards in the recording
 * @param cliff cliff of these shards as a service
 */
record ShardLoads(int shards, ServiceCliff cliff) {
    /**
     * Of the shards of a recording; absent when there is only one, or none of them did anything.
     *
     * @param shard cliff of a shard with the mean load
     */
    static Optional<ShardLoads> of(
            List<ShardWindow> windows, Multiple shard, ServiceCliff.Redistribution redistribution) {
        double[] loads = relativeLoads(windows);
        return loads.length < 2 || !(loads[0] >= 0)
                ? Optional.empty()
                : Optional.of(
                        new ShardLoads(
                                loads.length, ServiceCliff.of(shard, loads, redistribution)));
    }

    /** Mean used cores of each shard / mean of all shards. */
    private static double[] relativeLoads(List<ShardWindow> windows) {
        Map<Long, double[]> byShard = new TreeMap<>();
        for (ShardWindow window : windows) {
            double[] sums = byShard.computeIfAbsent(window.shardId(), first -> new double[2]);
            sums[0] += window.usage().sampledUsageUs();
            sums[1] += window.sampling().samples() * (double) window.sampling().sampleIntervalUs();
        }
        double[] cores =
                byShard.values().stream()
                        .filter(sums -> sums[1] > 0)
                        .mapToDouble(sums -> sums[0] / sums[1])
                        .toArray();
        double mean = 0;
        for (double one : cores) {
            mean += one / cores.length;
        }
        for (int shard = 0; shard < cores.length; shard++) {
            cores[shard] /= mean;
        }
        return cores;
    }
}
