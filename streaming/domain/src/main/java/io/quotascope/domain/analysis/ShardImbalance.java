package io.quotascope.domain.analysis;

import io.quotascope.domain.histogram.BetweenShards;
import io.quotascope.domain.whatif.TimeStructure;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;

/**
 * How unevenly load lies on the shards of a service: variance between records of 10 s of the same
 * minute, less what the fast swings of every single shard leave in a mean over 10 s.
 */
final class ShardImbalance {
    /** Samples of 10 ms in a record. */
    private static final int SAMPLES = 1000;

    private static final double RECORD_US = 10e6;

    /** More would say that shards do different things, not that they are hot. */
    private static final double DEVIATION_MAX = 2.0;

    private ShardImbalance() {}

    /** Standard deviation / mean of the load of shards; 0 with fewer than two. */
    static double of(List<ServiceSums> minutes, TimeStructure structure) {
        double squares = 0.0;
        double freedom = 0.0;
        double usageUs = 0.0;
        double records = 0.0;
        boolean several = false;
        for (ServiceSums minute : minutes) {
            BetweenShards shards = minute.betweenShards();
            double count = shards.records().doubleValue();
            if (count < 2) {
                continue;
            }
            several |= minute.reporting().shards() > 1;
            double sum = shards.usageUs().doubleValue();
            squares += Math.max(0.0, shards.usageUsSquared().doubleValue() - sum * sum / count);
            freedom += count - 1;
            usageUs += sum;
            records += count;
        }
        if (!several || usageUs <= 0.0) {
            return 0.0;
        }
        double mean = usageUs / records / RECORD_US;
        double between = squares / freedom / (RECORD_US * RECORD_US);
        double lasting = Math.max(0.0, between - swingsLeft(structure));
        return Math.min(DEVIATION_MAX, Math.sqrt(lasting) / mean);
    }

    /**
     * Variance of a mean over one record that the autocovariance explains: (variance + 2 x sum over
     * lags of (1 - lag / n) x covariance) / n, with straight lines between the measured lags.
     */
    private static double swingsLeft(TimeStructure structure) {
        double sum = structure.variance();
        double[] covariance = structure.covariance();
        int before = 0;
        double valueBefore = structure.variance();
        for (int index = 0; index < covariance.length; index++) {
            int lag = 1 << index;
            double value = structure.known()[index] ? covariance[index] : 0.0;
            for (int at = before + 1; at <= lag; at++) {
                double share = (at - before) / (double) (lag - before);
                double here = valueBefore + share * (value - valueBefore);
                sum += 2.0 * (1.0 - at / (double) SAMPLES) * here;
            }
            before = lag;
            valueBefore = value;
        }
        return Math.max(0.0, sum / SAMPLES);
    }
}
