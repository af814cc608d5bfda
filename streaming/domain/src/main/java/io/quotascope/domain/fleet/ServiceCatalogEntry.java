package io.quotascope.domain.fleet;

import io.quotascope.domain.whatif.advice.Target;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the owner says about a service.
 *
 * @param cluster named part of the fleet
 * @param service deployable
 * @param catalogVersion rises with every change, from 1; 0 stands for no entry
 * @param team team that owns it
 * @param owner person or rota to speak to
 * @param reservedMillicores cores reserved per shard, 1/1000 core; absent = the quota is the
 *     reservation
 * @param priceClass row of the price book; absent = the default
 * @param load what the models need to know of its clients
 * @param memoryFloorBytes least memory per shard, bytes
 * @param memoryBytes memory that a shard has, bytes; absent = not known, and limits nothing
 * @param minimumShards least number of shards
 * @param aim what a gain is to be taken as; absent = savings
 * @param deleted true withdraws the entry
 */
public record ServiceCatalogEntry(
        String cluster,
        String service,
        long catalogVersion,
        Optional<String> team,
        Optional<String> owner,
        OptionalLong reservedMillicores,
        Optional<String> priceClass,
        ClientPolicy load,
        OptionalLong memoryFloorBytes,
        OptionalLong memoryBytes,
        OptionalInt minimumShards,
        Optional<Target.Aim> aim,
        boolean deleted) {
    /** An entry that does not say how much memory a shard has, nor what a gain is taken as. */
    public ServiceCatalogEntry(
            String cluster,
            String service,
            long catalogVersion,
            Optional<String> team,
            Optional<String> owner,
            OptionalLong reservedMillicores,
            Optional<String> priceClass,
            ClientPolicy load,
            OptionalLong memoryFloorBytes,
            OptionalInt minimumShards,
            boolean deleted) {
        this(
                cluster,
                service,
                catalogVersion,
                team,
                owner,
                reservedMillicores,
                priceClass,
                load,
                memoryFloorBytes,
                OptionalLong.empty(),
                minimumShards,
                Optional.empty(),
                deleted);
    }

    /** The same with another aim. */
    public ServiceCatalogEntry with(Target.Aim wanted) {
        return new ServiceCatalogEntry(
                cluster,
                service,
                catalogVersion,
                team,
                owner,
                reservedMillicores,
                priceClass,
                load,
                memoryFloorBytes,
                memoryBytes,
                minimumShards,
                Optional.of(wanted),
                deleted);
    }

    /**
     * How the clients of a service behave; absent values leave the models their defaults.
     *
     * @param timeoutUs clients' timeout, microseconds
     * @param retries retries after a timeout
     * @param sloUs latency objective, microseconds
     * @param horizonUs how far ahead risk looks, microseconds
     * @param redistributesLoad true when the load of shards that no longer answer goes to the
     *     others, false when it stays with them
     */
    public record ClientPolicy(
            OptionalLong timeoutUs,
            OptionalInt retries,
            OptionalLong sloUs,
            OptionalLong horizonUs,
            Optional<Boolean> redistributesLoad) {
        /** A policy that leaves horizon and redistribution to the models. */
        public ClientPolicy(OptionalLong timeoutUs, OptionalInt retries, OptionalLong sloUs) {
            this(timeoutUs, retries, sloUs, OptionalLong.empty(), Optional.empty());
        }
    }

    /**
     * An entry as a reader must hold it.
     *
     * @throws IllegalArgumentException for a version below 1 or a reservation that is not positive
     */
    public ServiceCatalogEntry {
        if (catalogVersion < 1) {
            throw new IllegalArgumentException(
                    "catalog_version must be at least 1: " + catalogVersion);
        }
        if (reservedMillicores.isPresent() && reservedMillicores.getAsLong() < 1) {
            throw new IllegalArgumentException(
                    "reserved_millicores must be at least 1: " + reservedMillicores);
        }
    }

    /** Key on topic service-catalog.v1: cluster/service. */
    public String topicKey() {
        return topicKey(cluster, service);
    }

    /** Key on topic service-catalog.v1: cluster/service. */
    public static String topicKey(String cluster, String service) {
        return cluster + '/' + service;
    }
}
