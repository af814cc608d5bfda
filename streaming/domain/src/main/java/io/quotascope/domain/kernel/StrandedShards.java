package io.quotascope.domain.kernel;

import io.quotascope.domain.kernel.StrandedQuota.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What the shards of one host under one kernel showed.
 *
 * @param shards whether usage explains the throttling of each
 * @param unjudged shards left out because their quota changed while they were seen
 * @param cores cores of quota handed out and not used by the stranded ones
 * @param coresLow the least that was lost for certain
 * @param coresHigh the most that can have been lost
 * @param worst names of those that lost most, the worst first, at most five
 */
public record StrandedShards(
        List<StrandedQuota> shards,
        int unjudged,
        double cores,
        double coresLow,
        double coresHigh,
        List<String> worst) {
    private static final int NAMED = 5;

    private record Judged(ShardHour shard, StrandedQuota stranded) {}

    /** Judges shards, given in an order that does not depend on their arrival. */
    public static StrandedShards of(Collection<ShardHour> seen, int unjudged, int hostCpus) {
        List<StrandedQuota> shards = new ArrayList<>();
        List<Judged> lost = new ArrayList<>();
        double cores = 0;
        double low = 0;
        double high = 0;
        for (ShardHour shard : seen) {
            StrandedQuota stranded = shard.stranded(hostCpus);
            shards.add(stranded);
            if (stranded.standing() == Standing.STRANDED) {
                lost.add(new Judged(shard, stranded));
                cores += stranded.strandedCores();
                low += stranded.strandedCoresLow();
                high += shard.strandedCoresHigh();
            }
        }
        List<String> worst =
                lost.stream()
                        .sorted(
                                Comparator.comparingDouble(
                                                (Judged each) -> each.stranded().strandedCoresLow())
                                        .reversed()
                                        .thenComparing(each -> each.shard().name()))
                        .limit(NAMED)
                        .map(each -> each.shard().name())
                        .toList();
        return new StrandedShards(List.copyOf(shards), unjudged, cores, low, high, worst);
    }

    /** Shards that were throttled. */
    public int throttled() {
        return (int)
                shards.stream().filter(each -> each.standing() != Standing.NOT_THROTTLED).count();
    }

    /** Shards that lost quota. */
    public int stranded() {
        return (int) shards.stream().filter(each -> each.standing() == Standing.STRANDED).count();
    }

    /** What was seen, in words. */
    public String words() {
        String seen = KernelFinding.behaviour(throttled(), stranded());
        return stranded() == 0
                ? seen
                : String.format(
                        Locale.ROOT,
                        "%s: %.2f cores of quota were handed out and not used (%.2f for certain, at most %.2f)",
                        seen,
                        cores,
                        coresLow,
                        coresHigh);
    }
}
