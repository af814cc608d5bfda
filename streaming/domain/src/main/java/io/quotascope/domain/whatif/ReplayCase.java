package io.quotascope.domain.whatif;

import java.util.Optional;

/**
 * One replay.
 *
 * @param demand what is wanted
 * @param allowance what is allowed
 * @param clients timeouts and retries; absent when nobody gives up
 * @param cost how work grows dearer with concurrency
 */
public record ReplayCase(
        DemandSeries demand, Allowance allowance, Optional<ClientPolicy> clients, CostGrowth cost) {
    /** Patient clients and constant cost. */
    public static ReplayCase of(DemandSeries demand, Allowance allowance) {
        return new ReplayCase(demand, allowance, Optional.empty(), CostGrowth.NONE);
    }

    /** The same with other clients. */
    public ReplayCase withClients(ClientPolicy policy) {
        return new ReplayCase(demand, allowance, Optional.of(policy), cost);
    }

    /** The same with another cost. */
    public ReplayCase withCost(CostGrowth growth) {
        return new ReplayCase(demand, allowance, clients, growth);
    }
}
