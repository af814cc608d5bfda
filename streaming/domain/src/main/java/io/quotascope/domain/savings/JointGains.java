package io.quotascope.domain.savings;

import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import java.util.ArrayList;
import java.util.List;

/**
 * Gains of every set of a service's fixes, each replayed as a whole: a cap and smaller pools cure
 * the same illness, so their gains must not be added.
 */
public final class JointGains {
    /** More fixes than this make too many sets. */
    public static final int FIXES_MAX = 6;

    /**
     * Spread over draws that nine in ten services do not exceed on which {@code GainError} was
     * fitted.
     */
    private static final double USUAL_SPREAD = 0.115;

    private static final double NORMAL_P95 = 1.6448536269514722;

    private final CapacitySearch search = new CapacitySearch();

    /**
     * All sets but the empty one, the smallest first, in the order of the fixes.
     *
     * @param demand equally plausible series, at least one
     * @throws IllegalArgumentException with more fixes than {@link #FIXES_MAX} or without demand
     */
    public List<FixSet> of(
            List<DemandSeries> demand,
            Allowance now,
            List<Fix> fixes,
            Kappa kappa,
            LatencyObjective objective) {
        if (fixes.size() > FIXES_MAX || demand.isEmpty()) {
            throw new IllegalArgumentException(
                    fixes.size() + " fixes, " + demand.size() + " demand series");
        }
        CostGrowth cost = new CostGrowth(kappa.value(), now.sustainedCores());
        List<DemandSeries> work = demand.stream().map(series -> series.pricedAt(cost)).toList();
        double[] before = capacities(work, now, cost, objective);
        List<FixSet> sets = new ArrayList<>();
        for (int size = 1; size <= fixes.size(); size++) {
            for (int members = 1; members < 1 << fixes.size(); members++) {
                if (Integer.bitCount(members) == size) {
                    List<Fix> chosen = chosen(fixes, members);
                    Allowance after = Fix.applyAll(now, chosen);
                    double[] capacities = capacities(work, after, cost, objective);
                    GainError error = GainError.of(chosen, kappa.measured());
                    sets.add(
                            set(
                                    chosen,
                                    before,
                                    capacities,
                                    error.middle(now.sustainedCores()),
                                    error.logDeviation()));
                }
            }
        }
        return sets;
    }

    private double[] capacities(
            List<DemandSeries> work,
            Allowance allowance,
            CostGrowth cost,
            LatencyObjective objective) {
        return work.stream()
                .mapToDouble(series -> search.of(series, allowance, cost, objective))
                .toArray();
    }

    /** Ratios of the same draw: what is common to both replays cancels out. */
    private static FixSet set(
            List<Fix> chosen, double[] before, double[] after, double middle, double error) {
        double mean = 0;
        for (int draw = 0; draw < before.length; draw++) {
            mean += StrictMath.log(after[draw] / before[draw]) / before.length;
        }
        double variance = 0;
        for (int draw = 0; draw < before.length; draw++) {
            double distance = StrictMath.log(after[draw] / before[draw]) - mean;
            variance += distance * distance / Math.max(1, before.length - 1);
        }
        // The error was fitted on such replays, so the usual spread of draws is in it already.
        double unusual = Math.sqrt(Math.max(0, variance - USUAL_SPREAD * USUAL_SPREAD));
        double deviation = Math.hypot(error, unusual);
        double reach = NORMAL_P95 * deviation;
        // A saving must not exceed its replay; what gains in a replay is not turned into a loss.
        double value = mean + Math.max(Math.min(0, middle), -Math.max(0, mean));
        double centre = Math.max(value, mean + middle);
        return new FixSet(
                chosen,
                StrictMath.exp(value),
                StrictMath.exp(centre - reach),
                StrictMath.exp(centre + reach),
                deviation);
    }

    private static List<Fix> chosen(List<Fix> fixes, int members) {
        List<Fix> chosen = new ArrayList<>();
        for (int fix = 0; fix < fixes.size(); fix++) {
            if ((members >> fix & 1) == 1) {
                chosen.add(fixes.get(fix));
            }
        }
        return chosen;
    }
}
