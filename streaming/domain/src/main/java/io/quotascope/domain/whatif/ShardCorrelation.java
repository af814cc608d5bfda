package io.quotascope.domain.whatif;

import io.quotascope.domain.histogram.BetweenShards;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How much the demand of two shards of a service rises and falls together, from minutes: variance
 * over time of the mean over shards, against variance between records of the same minute.
 */
public final class ShardCorrelation {
    private static final int MINUTES_MIN = 10;

    private ShardCorrelation() {}

    /**
     * Correlation of two shards' usage, 0 .. 1. Absent with fewer than ten minutes that have two
     * records, or without any variance.
     */
    public static OptionalDouble of(List<ServiceSums> minutes) {
        int counted = 0;
        double sum = 0.0;
        double square = 0.0;
        double between = 0.0;
        double recordsInverse = 0.0;
        for (ServiceSums minute : minutes) {
            BetweenShards shards = minute.betweenShards();
            double records = shards.records().doubleValue();
            if (records < 2) {
                continue;
            }
            double mean = shards.usageUs().doubleValue() / records;
            double deviation = shards.usageUsSquared().doubleValue() / records - mean * mean;
            counted++;
            sum += mean;
            square += mean * mean;
            between += deviation * records / (records - 1.0);
            recordsInverse += 1.0 / records;
        }
        if (counted < MINUTES_MIN) {
            return OptionalDouble.empty();
        }
        double apart = Math.max(0.0, between / counted);
        double overTime = square / counted - sum / counted * (sum / counted);
        // The mean of n records moves by chance alone with a variance of apart / n.
        double together = Math.max(0.0, overTime - apart * recordsInverse / counted);
        return together + apart > 0.0
                ? OptionalDouble.of(together / (together + apart))
                : OptionalDouble.empty();
    }
}
