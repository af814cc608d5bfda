package io.quotascope.domain.rank;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.Quantile;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.SamplingSums;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThreadSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import io.quotascope.domain.window.WorstShard;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The minutes of a horizon together. Sums add up; shards are the most of any minute, because the
 * same shards live on.
 *
 * @param bandwidth setting of the class
 * @param shards most shards of a minute
 * @param records records received
 * @param expectedRecords records that the hosts say they sent
 * @param sampling how well it was sampled
 * @param usage CPU use
 * @param throttling bandwidth counters
 * @param threads threads
 * @param usedCores used cores of one shard over samples
 * @param worstShards at most five, the worst first
 */
record HorizonSums(
        Bandwidth bandwidth,
        int shards,
        long records,
        long expectedRecords,
        SamplingSums sampling,
        UsageSums usage,
        ThrottlingSums throttling,
        ThreadSums threads,
        BucketCounts usedCores,
        List<WorstShard> worstShards) {

    static HorizonSums of(Collection<ServiceSums> minutes) {
        Bandwidth bandwidth = Bandwidth.NONE;
        int shards = 0;
        long records = 0;
        long expectedRecords = 0;
        SamplingSums sampling = SamplingSums.ZERO;
        UsageSums usage = UsageSums.ZERO;
        ThrottlingSums throttling = ThrottlingSums.ZERO;
        ThreadSums threads = ThreadSums.ZERO;
        BucketTally usedCores = new BucketTally();
        for (ServiceSums minute : minutes) {
            bandwidth = bandwidth.least(minute.bandwidth());
            shards = Math.max(shards, minute.reporting().shards());
            records += minute.reporting().records();
            expectedRecords += minute.reporting().expectedRecords();
            sampling = sampling.plus(minute.sampling());
            usage = usage.plus(minute.usage());
            throttling = throttling.plus(minute.throttling());
            threads = threads.plus(minute.threads());
            usedCores.add(minute.distributions().usage());
        }
        List<WorstShard> worst =
                WorstShard.worstOf(
                        minutes.stream().flatMap(minute -> minute.worstShards().stream()).toList());
        return new HorizonSums(
                bandwidth,
                shards,
                records,
                expectedRecords,
                sampling,
                usage,
                throttling,
                threads,
                usedCores.toCounts(),
                worst);
    }

    OptionalDouble usedCoresP99() {
        return usedCores.quantile(Quantile.P99, UsageLayout.V1);
    }
}
