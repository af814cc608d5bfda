package io.quotascope.domain.savings;

import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.FluidReplay;
import io.quotascope.domain.whatif.LoadGrowth;
import io.quotascope.domain.whatif.ReplayCase;
import io.quotascope.domain.whatif.ReplayOutcome;

/**
 * The largest multiple of today's load that a shard serves within its latency objective.
 *
 * <p>Absolute capacities of this kind are biased low, because the mix of requests cannot be seen in
 * CPU use; ratios of two of them are not. Use ratios only (docs/model/savings.md).
 *
 * <p>It asks the 90th percentile of delay and not the 99th, by which a change is judged: with the
 * 99th the replayed gains of development services are too small by a quarter and scatter more
 * (docs/model/savings.md, "Which percentile of delay").
 */
public final class CapacitySearch {
    private static final double MULTIPLE_MIN = 1 / 64.0;
    private static final double MULTIPLE_MAX = 64;
    private static final double PRECISION = 1.01;

    private final FluidReplay replay = new FluidReplay();

    /**
     * The multiple, within 1 %; the end of the range 1/64 .. 64 when the answer lies beyond it.
     *
     * @param work demand at the price of no concurrency ({@link DemandSeries#pricedAt})
     */
    public double of(
            DemandSeries work, Allowance allowance, CostGrowth cost, LatencyObjective objective) {
        LoadGrowth growth = new LoadGrowth(work);
        double good = MULTIPLE_MIN;
        double bad = MULTIPLE_MAX;
        while (bad / good > PRECISION) {
            double middle = Math.sqrt(good * bad);
            if (serves(growth.at(middle), allowance, cost, objective)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private boolean serves(
            DemandSeries work, Allowance allowance, CostGrowth cost, LatencyObjective objective) {
        ReplayOutcome outcome = replay.run(ReplayCase.of(work, allowance).withCost(cost));
        return outcome.stall().p99() <= objective.stallUsMax()
                && outcome.delay().p90() <= objective.sloUs();
    }
}
