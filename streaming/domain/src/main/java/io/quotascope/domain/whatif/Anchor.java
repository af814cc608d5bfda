package io.quotascope.domain.whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Ties scenarios to what was observed under the setting in force. Where the replay of that setting
 * misses the observed throttled period ratio, the scenario's ratio is corrected by as much as the
 * two move together from block to block, at equal demand (mean and mean square of the block); the
 * number of throttled runs likewise. In statistics these are control variates.
 */
final class Anchor {
    /** What is left of a block is too little to regress on. */
    private static final double NOTHING = 1e-12;

    /** Runs say less than the ratio; this much of their variance counts as chance. */
    private static final double RUN_RIDGE = 0.3;

    private final double[][] demand;
    private final double[] ratioControl;
    private final double[] runControl;
    private final double ratioMiss;
    private final double runMiss;
    private final double runRidge;

    /**
     * A scenario's ratio.
     *
     * @param value 0..1, corrected
     * @param replayed as the replay gave it
     * @param blockVariance variance of a block's ratio that the observations do not explain
     * @param blocks number of blocks
     */
    record Anchored(double value, double replayed, double blockVariance, int blocks) {}

    /**
     * @param ensemble the reconstructed demand
     * @param now its replay under the setting in force
     * @param ratio observed throttled periods / periods
     * @param runRatio observed runs of throttled periods / periods; absent when not measured
     */
    Anchor(DemandEnsemble ensemble, BlockReplay.Blocks now, double ratio, OptionalDouble runRatio) {
        demand = demand(ensemble);
        ratioControl = rest(now.ratios());
        ratioMiss = ratio - now.ratio();
        double[] runs = rest(now.runRatios());
        double slope = slope(runs, ratioControl, 0.0);
        runRidge = RUN_RIDGE * dot(runs, runs);
        subtract(runs, ratioControl, slope);
        runControl = runs;
        runMiss =
                runRatio.isPresent()
                        ? runRatio.getAsDouble() - now.runRatio() - slope * ratioMiss
                        : 0.0;
    }

    Anchored tie(BlockReplay.Blocks scenario) {
        double[] rest = rest(scenario.ratios());
        double byRatio = slope(rest, ratioControl, 0.0);
        double byRuns = slope(rest, runControl, runRidge);
        double value = scenario.ratio() + byRatio * ratioMiss + byRuns * runMiss;
        subtract(rest, ratioControl, byRatio);
        subtract(rest, runControl, byRuns);
        return new Anchored(
                Math.max(0.0, Math.min(1.0, value)),
                scenario.ratio(),
                dot(rest, rest) / rest.length,
                rest.length);
    }

    /** What is left of values over blocks when demand has explained its part. */
    private double[] rest(double[] values) {
        double[] rest = values.clone();
        center(rest);
        for (double[] direction : demand) {
            subtract(rest, direction, dot(rest, direction));
        }
        return rest;
    }

    /** Orthonormal directions: mean demand and mean squared demand of the blocks. */
    private static double[][] demand(DemandEnsemble ensemble) {
        int perSeries = ensemble.slots() / BlockReplay.BLOCK_SLOTS;
        double[] means = new double[perSeries * ensemble.series().size()];
        double[] squares = new double[means.length];
        int block = 0;
        for (DemandSeries series : ensemble.series()) {
            for (int inSeries = 0; inSeries < perSeries; inSeries++, block++) {
                int from = inSeries * BlockReplay.BLOCK_SLOTS;
                for (int slot = from; slot < from + BlockReplay.BLOCK_SLOTS; slot++) {
                    means[block] += series.cores(slot);
                    squares[block] += series.cores(slot) * series.cores(slot);
                }
            }
        }
        List<double[]> directions = new ArrayList<>();
        for (double[] feature : List.of(means, squares)) {
            center(feature);
            directions.forEach(known -> subtract(feature, known, dot(feature, known)));
            double square = dot(feature, feature);
            if (square > NOTHING) {
                double scale = 1.0 / StrictMath.sqrt(square);
                for (int at = 0; at < feature.length; at++) {
                    feature[at] *= scale;
                }
                directions.add(feature);
            }
        }
        return directions.toArray(new double[0][]);
    }

    private static void center(double[] values) {
        double sum = 0.0;
        for (double value : values) {
            sum += value;
        }
        for (int at = 0; at < values.length; at++) {
            values[at] -= sum / values.length;
        }
    }

    private static double slope(double[] values, double[] control, double ridge) {
        double square = dot(control, control);
        return square > NOTHING ? dot(values, control) / (square + ridge) : 0.0;
    }

    private static double dot(double[] one, double[] other) {
        double sum = 0.0;
        for (int at = 0; at < one.length; at++) {
            sum += one[at] * other[at];
        }
        return sum;
    }

    private static void subtract(double[] from, double[] what, double times) {
        for (int at = 0; at < from.length; at++) {
            from[at] -= times * what[at];
        }
    }
}
