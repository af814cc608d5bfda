package io.quotascope.domain.analysis;

import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.whatif.ClientPolicy;
import java.util.Optional;

/**
 * The cliff of a service as its last analysis found it. All multiples are of one load: first of the
 * analysed minute's, in a row of that row's minute.
 *
 * @param analysedAtUs end of the analysed minute, microseconds since the Unix epoch
 * @param evidenceUs length of the horizon that was looked at, microseconds
 * @param evidenceWindows minutes of it that had rows
 * @param cliff multiples of the hottest shard and of the service
 * @param recovery multiple below which the service comes back by itself
 * @param shardLoadDeviation standard deviation / mean of the load of shards
 * @param clients who waits
 * @param worstShard the shard whose raw samples were judged by themselves; absent without them
 */
public record AnalysedCliff(
        long analysedAtUs,
        long evidenceUs,
        int evidenceWindows,
        ServiceCliff cliff,
        Multiple recovery,
        double shardLoadDeviation,
        Clients clients,
        Optional<WorstShardCliff> worstShard) {

    /**
     * What clients do.
     *
     * @param policy timeout and retries
     * @param assumed true when the catalog states none
     * @param redistribution what they do with the load of a collapsed shard
     */
    public record Clients(ClientPolicy policy, boolean assumed, Redistribution redistribution) {}

    /**
     * One shard by its own samples.
     *
     * @param shard name
     * @param collapse multiple of its own load in those samples
     */
    public record WorstShardCliff(String shard, Multiple collapse) {}

    /** The same seen from another load: at twice the load half of each multiple is left. */
    public AnalysedCliff dividedBy(double growth) {
        return new AnalysedCliff(
                analysedAtUs,
                evidenceUs,
                evidenceWindows,
                new ServiceCliff(
                        cliff.hottestShard().dividedBy(growth),
                        cliff.service().dividedBy(growth),
                        cliff.gainFromBalancing()),
                recovery.dividedBy(growth),
                shardLoadDeviation,
                clients,
                worstShard);
    }
}
