package io.quotascope.fleetsim.fleet;

import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Collections;
import io.quotascope.domain.cfs.service.Loop;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.ServicePlan;
import java.util.List;
import java.util.Optional;

/**
 * A kind of service: what its shards are made of and what is asked of them. Services of a kind
 * differ in shards, load and place.
 *
 * @param name name within the fleet
 * @param flaw what is wrong with it
 * @param hostCpus CPUs of the hosts that it runs on
 * @param setting how its owners set it up
 * @param requests what is asked; at load 1 it offers exactly the quota's cores
 * @param client who asks
 * @param collections stop-the-world bursts
 * @param loops background threads
 * @param meanLoad offered cores / quota cores, on average over a week
 * @param loadMatters false when its work does not come from requests
 */
public record Kind(
        String name,
        Flaw flaw,
        int hostCpus,
        Setting setting,
        RequestClass requests,
        Client client,
        Optional<Collections> collections,
        List<Loop> loops,
        double meanLoad,
        boolean loadMatters) {
    /** Requests wait for ever rather than being refused, as most servers let them. */
    private static final int QUEUE_TASKS = 1_000_000;

    /** What a shard is made of under a setting. */
    public ServicePlan plan(Setting under) {
        return new ServicePlan(
                client, List.of(Pool.of(under.poolThreads(), QUEUE_TASKS)), collections, loops);
    }
}
