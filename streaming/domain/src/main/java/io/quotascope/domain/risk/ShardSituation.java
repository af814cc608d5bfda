package io.quotascope.domain.risk;

import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A typical shard at today's load.
 *
 * @param demand equally plausible series of what it wants, at least one
 * @param allowance what it may have
 * @param clients timeout and retries as the owner states them; absent when nobody does
 * @param cost how work grows dearer with concurrency; the demand is priced at none
 * @param priceKnown whether that cost was measured; false = it is not known and none is assumed
 * @param persistence how long throttling lasts in this situation ({@link Persistence}); absent
 *     where it was not observed
 */
public record ShardSituation(
        List<DemandSeries> demand,
        Allowance allowance,
        Optional<ClientPolicy> clients,
        CostGrowth cost,
        boolean priceKnown,
        OptionalDouble persistence) {
    /** A situation that nobody observed. */
    public ShardSituation(
            List<DemandSeries> demand,
            Allowance allowance,
            Optional<ClientPolicy> clients,
            CostGrowth cost,
            boolean priceKnown) {
        this(demand, allowance, clients, cost, priceKnown, OptionalDouble.empty());
    }

    /** A cost that is stated was measured. */
    public ShardSituation(
            List<DemandSeries> demand,
            Allowance allowance,
            Optional<ClientPolicy> clients,
            CostGrowth cost) {
        this(demand, allowance, clients, cost, cost.kappa() > 0);
    }

    /**
     * A situation with demand.
     *
     * @throws IllegalArgumentException without a series
     */
    public ShardSituation {
        demand = List.copyOf(demand);
        if (demand.isEmpty()) {
            throw new IllegalArgumentException("a situation needs a demand series");
        }
    }
}
