package io.quotascope.domain.whatif;

import java.util.ArrayList;
import java.util.List;

/** Demand of several shards in one. */
final class MergedDemand {
    /** Distance at which one series serves again as another shard's, slots. */
    private static final int SHIFT = 1511;

    private MergedDemand() {}

    /**
     * Sum of k shards whose demands have a correlation r: the mean of each, sqrt(r) times a swing
     * that all share, sqrt(1 - r) times its own. The sum's variance is k + k (k - 1) r times a
     * shard's. What falls below zero is cut, and the mean is kept.
     *
     * @throws IllegalArgumentException when there is no shard or the correlation is outside 0 .. 1
     */
    static DemandEnsemble of(DemandEnsemble one, int shards, double correlation) {
        if (shards < 1 || !(correlation >= 0.0 && correlation <= 1.0)) {
            throw new IllegalArgumentException(shards + " shards, correlation " + correlation);
        }
        List<DemandSeries> merged = new ArrayList<>();
        for (int number = 0; number < one.series().size(); number++) {
            merged.add(
                    shards == 1 ? one.series().get(number) : sum(one, number, shards, correlation));
        }
        return new DemandEnsemble(merged);
    }

    private static DemandSeries sum(
            DemandEnsemble one, int number, int shards, double correlation) {
        double common = StrictMath.sqrt(correlation);
        double own = StrictMath.sqrt(1.0 - correlation);
        double mean = one.meanCores();
        double[] sum = new double[one.slots()];
        addSwing(sum, one, number, shards * common);
        for (int shard = 1; shard <= shards; shard++) {
            addSwing(sum, one, number + shard, own);
        }
        for (int slot = 0; slot < sum.length; slot++) {
            sum[slot] = Math.max(0.0, sum[slot] + shards * mean);
        }
        return DemandSeries.taking(sum, DemandSeries.Provenance.SYNTHETIC).withMean(shards * mean);
    }

    /** Adds a series' deviation from its mean; further series are the known ones, shifted. */
    private static void addSwing(double[] sum, DemandEnsemble one, int number, double weight) {
        DemandSeries series = one.series().get(number % one.series().size());
        double mean = series.meanCores();
        int shift = (int) ((long) (number / one.series().size()) * SHIFT % sum.length);
        for (int slot = 0; slot < sum.length; slot++) {
            sum[slot] += weight * (series.cores((slot + shift) % sum.length) - mean);
        }
    }
}
