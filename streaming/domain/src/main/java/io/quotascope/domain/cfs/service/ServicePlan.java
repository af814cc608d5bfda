package io.quotascope.domain.cfs.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a service is made of, without its limits and without who asks.
 *
 * @param client who waits for answers
 * @param pools who works on them: requests name the pool that they go to
 * @param collections stop-the-world bursts; absent if there are none
 * @param loops background threads
 */
public record ServicePlan(
        Client client, List<Pool> pools, Optional<Collections> collections, List<Loop> loops) {
    /** Lists that cannot change any more. */
    public ServicePlan {
        pools = List.copyOf(pools);
        loops = List.copyOf(loops);
    }

    /** Threads of all kinds. */
    public int threads() {
        return pools.stream().mapToInt(Pool::threads).sum()
                + collections.map(Collections::threads).orElse(0)
                + loops.stream().mapToInt(Loop::threads).sum();
    }

    /** Only a pool. */
    public static ServicePlan of(Client client, Pool pool) {
        return new ServicePlan(client, List.of(pool), Optional.empty(), List.of());
    }

    /** The same with another first pool. */
    public ServicePlan with(Pool other) {
        List<Pool> all = new ArrayList<>(pools);
        all.set(0, other);
        return new ServicePlan(client, all, collections, loops);
    }

    /** The same with other clients. */
    public ServicePlan with(Client other) {
        return new ServicePlan(other, pools, collections, loops);
    }
}
