package io.quotascope.domain.whatif;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.UsageLayout;
import java.util.Arrays;

/** A distribution of cores as a table of equally likely values, ascending. Mutable. */
final class Marginal {
    /** Values in the table. */
    static final int CELLS = 2048;

    private final double[] cores;

    private Marginal(double[] cores) {
        this.cores = cores;
    }

    /** Even within each bucket, with this mean. */
    static Marginal of(BucketCounts usage, double meanCores) {
        double[] cores = new double[CELLS];
        double below = 0.0;
        int bucket = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            double rank = (cell + 0.5) / CELLS * usage.total();
            while (bucket + 1 < usage.end() && below + usage.count(bucket) < rank) {
                below += usage.count(bucket);
                bucket++;
            }
            double within = Math.min(1.0, (rank - below) / Math.max(1, usage.count(bucket)));
            cores[cell] = within(bucket, within);
        }
        Marginal marginal = new Marginal(cores);
        marginal.pin(meanCores);
        return marginal;
    }

    private static double within(int bucket, double share) {
        double low = UsageLayout.V1.lowerBound(bucket);
        if (bucket == 0 || bucket + 1 >= UsageLayout.V1.bucketCount()) {
            return low;
        }
        return low + share * (UsageLayout.V1.lowerBound(bucket + 1) - low);
    }

    /** The same values at the price of no concurrency. */
    Marginal priced(CostGrowth cost) {
        double[] priced = cores.clone();
        for (int cell = 0; cell < CELLS; cell++) {
            priced[cell] /= cost.at(priced[cell]);
        }
        return new Marginal(priced);
    }

    double cores(int cell) {
        return cores[cell];
    }

    double max() {
        return cores[CELLS - 1];
    }

    double mean() {
        double sum = 0.0;
        for (double value : cores) {
            sum += value;
        }
        return sum / CELLS;
    }

    double variance() {
        double mean = mean();
        double sum = 0.0;
        for (double value : cores) {
            sum += (value - mean) * (value - mean);
        }
        return sum / CELLS;
    }

    /** Moves every value by what is observed above what is replayed, at the same rank. */
    void follow(Marginal observed, double[] replayed, double gain) {
        for (int cell = 0; cell < CELLS; cell++) {
            double moved = cores[cell] + gain * (observed.cores[cell] - replayed[cell]);
            cores[cell] = Math.max(0.0, moved);
        }
        Arrays.sort(cores);
    }

    /** Scales to a mean; a distribution at 0 stays there. */
    private void pin(double mean) {
        double now = mean();
        if (now > 0.0) {
            scale(mean / now);
        }
    }

    void scale(double factor) {
        for (int cell = 0; cell < CELLS; cell++) {
            cores[cell] *= factor;
        }
    }
}
