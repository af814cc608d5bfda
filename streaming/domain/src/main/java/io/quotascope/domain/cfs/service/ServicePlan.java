package io.quotascope.domain.cfs.service;

import java.util.List;
import java.util.Optional;

/**
 * What a service is made of, without its limits and without who asks.
 *
 * @param client who waits for answers
 * @param pool who works on them
 * @param collections stop-the-world bursts; absent if there are none
 * @param loops background threads
 */
public record ServicePlan(
        Client client, Pool pool, Optional<Collections> collections, List<Loop> loops) {
    /** Lists that cannot change any more. */
    public ServicePlan {
        loops = List.copyOf(loops);
    }

    /** Only a pool. */
    public static ServicePlan of(Client client, Pool pool) {
        return new ServicePlan(client, pool, Optional.empty(), List.of());
    }

    /** The same with another pool. */
    public ServicePlan with(Pool other) {
        return new ServicePlan(client, other, collections, loops);
    }

    /** The same with other clients. */
    public ServicePlan with(Client other) {
        return new ServicePlan(other, pool, collections, loops);
    }
}
