package io.quotascope.domain.whatif;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the demand behind usage that a quota has cut: replays a guess under the quota in force and
 * moves the guess until the replayed usage has the distribution and the time structure of the
 * observed one. Throttled slots use nothing and the next period's first slots use more, so the
 * usage of a throttled shard has too many zeros and too many peaks; demand has neither.
 */
final class Unwinding {
    /** Part of the difference that is corrected at once. */
    private static final double GAIN = 0.7;

    private static final int STRUCTURE_STEPS = 2;
    private static final int MARGINAL_STEPS = 4;

    /** A replay may use a little more than was ever sampled. */
    private static final double CAP_MARGIN = 1.03;

    private final DemandEvidence evidence;
    private final Marginal observed;
    private final Allowance allowance;
    private final CostGrowth cost;
    private final SlotServer server = new SlotServer();
    private final UsageTally tally = new UsageTally();
    private final double[] replayed = new double[Marginal.CELLS];
    private final double[] lagged = new double[TimeStructure.LAGS];

    Unwinding(DemandEvidence evidence, Marginal observed, CostGrowth cost) {
        this.cost = cost;
        this.evidence = evidence;
        this.observed = observed;
        allowance =
                new Allowance(
                        evidence.quota(), Math.min(evidence.cpus(), observed.max() * CAP_MARGIN));
    }

    /** Fits marginal and weights in place of a copula of the usage itself. */
    LatentFit fit(LatentFit start, List<RankPaths> paths) {
        LatentFit fit = start;
        double[] covariance = start.covariance().clone();
        int[] cells = new int[paths.get(0).samples()];
        double[] usage = new double[cells.length];
        for (int step = 0; step < STRUCTURE_STEPS; step++) {
            int[][] ranks = new int[paths.size()][cells.length];
            for (int series = 0; series < ranks.length; series++) {
                paths.get(series).ranks(fit.weights(), ranks[series]);
            }
            for (int move = 0; move < MARGINAL_STEPS; move++) {
                boolean last = move + 1 == MARGINAL_STEPS;
                replay(fit.marginal(), ranks, usage, last);
                fit.marginal().follow(observed, replayed, GAIN);
                pinMean(fit.marginal());
            }
            for (int lag = 0; lag < covariance.length; lag++) {
                double seen = evidence.structure().covariance()[lag];
                covariance[lag] += GAIN * (seen - lagged[lag] / ranks.length);
            }
            fit = LatentFit.of(fit.marginal(), covariance, evidence.structure().known());
        }
        return fit;
    }

    /** Demand is what is used: without cost growth its mean is the counter's. */
    private void pinMean(Marginal demand) {
        double used = 0.0;
        for (int cell = 0; cell < replayed.length; cell++) {
            used += replayed[cell];
        }
        if (cost.kappa() == 0.0) {
            used = demand.mean() * replayed.length;
        }
        if (used > 0.0) {
            demand.scale(evidence.meanCores() * replayed.length / used);
        }
    }

    private void replay(Marginal demand, int[][] ranks, double[] usage, boolean structure) {
        tally.reset();
        Arrays.fill(lagged, 0.0);
        double[] wanted = new double[usage.length];
        for (int[] cells : ranks) {
            server.reset(allowance, cost);
            for (int sample = 0; sample < cells.length; sample++) {
                wanted[sample] = demand.cores(cells[sample]);
            }
            server.serve(wanted, usage);
            for (double cores : usage) {
                tally.add(cores);
            }
            if (structure) {
                addCovariance(usage);
            }
        }
        tally.quantiles(replayed);
    }

    private void addCovariance(double[] usage) {
        double mean = 0.0;
        for (double cores : usage) {
            mean += cores;
        }
        mean /= usage.length;
        for (int lag = 0; lag < lagged.length; lag++) {
            int distance = 1 << lag;
            double sum = 0.0;
            for (int sample = 0; sample + distance < usage.length; sample++) {
                sum += (usage[sample] - mean) * (usage[sample + distance] - mean);
            }
            lagged[lag] += sum / (usage.length - distance);
        }
    }
}
