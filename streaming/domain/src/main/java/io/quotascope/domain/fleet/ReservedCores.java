package io.quotascope.domain.fleet;

import io.quotascope.domain.window.Bandwidth;
import java.util.Optional;
import java.util.OptionalDouble;

/** How many cores one shard of a service reserves, and who says so. */
public sealed interface ReservedCores {
    /** The catalog says so. */
    record OfCatalog(double value) implements ReservedCores {}

    /** The catalog says nothing, so the quota counts as the reservation. */
    record OfQuota(double value) implements ReservedCores {}

    /** Neither a catalog entry nor a quota. */
    record Unknown() implements ReservedCores {}

    /**
     * The reservation of a shard: the catalog's where it states one, else quota / period, else
     * unknown.
     */
    static ReservedCores of(Optional<ServiceCatalogEntry> entry, Bandwidth bandwidth) {
        if (entry.isPresent() && entry.get().reservedMillicores().isPresent()) {
            return new OfCatalog(entry.get().reservedMillicores().getAsLong() / 1000.0);
        }
        OptionalDouble quotaCores = bandwidth.quotaCores();
        return quotaCores.isPresent() ? new OfQuota(quotaCores.getAsDouble()) : new Unknown();
    }

    /** Cores of one shard; absent when unknown. */
    default OptionalDouble cores() {
        if (this instanceof OfCatalog catalog) {
            return OptionalDouble.of(catalog.value());
        }
        return this instanceof OfQuota quota
                ? OptionalDouble.of(quota.value())
                : OptionalDouble.empty();
    }
}
