package io.quotascope.domain.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Hourly differences by day: the days are what a bootstrap may draw, the hours of one are alike.
 */
final class DailySums {
    private static final long DAY_US = 24 * ServiceHour.HOUR_US;

    /** With fewer days than this the blocks are quarters of days. */
    private static final int DAYS_MIN = 4;

    private final TreeMap<Long, double[]> quarters = new TreeMap<>();
    private int count;
    private double sum;

    void add(long hourStartUs, double difference) {
        double[] quarter =
                quarters.computeIfAbsent(
                        Math.floorDiv(hourStartUs, DAY_US / 4), start -> new double[2]);
        quarter[0] += difference;
        quarter[1]++;
        sum += difference;
        count++;
    }

    int count() {
        return count;
    }

    double mean() {
        return sum / count;
    }

    /** Means of as many blocks as there are, drawn with replacement. */
    double[] resampledMeans(int resamples, SplittableRandom random) {
        List<double[]> blocks = blocks();
        double[] means = new double[resamples];
        for (int resample = 0; resample < resamples; resample++) {
            double drawn = 0;
            double hours = 0;
            for (int block = 0; block < blocks.size(); block++) {
                double[] chosen = blocks.get(random.nextInt(blocks.size()));
                drawn += chosen[0];
                hours += chosen[1];
            }
            means[resample] = drawn / hours;
        }
        return means;
    }

    private List<double[]> blocks() {
        TreeMap<Long, double[]> days = new TreeMap<>();
        quarters.forEach(
                (quarter, sums) -> {
                    double[] day =
                            days.computeIfAbsent(Math.floorDiv(quarter, 4), start -> new double[2]);
                    day[0] += sums[0];
                    day[1] += sums[1];
                });
        return new ArrayList<>(days.size() < DAYS_MIN ? quarters.values() : days.values());
    }
}
