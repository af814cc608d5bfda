package io.quotascope.wire;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import java.util.Optional;

/** ServiceCatalogEntry and its domain form. */
public final class CatalogEntries {
    private CatalogEntries() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for a version or reservation that the domain refuses
     */
    public static ServiceCatalogEntry toDomain(io.quotascope.wire.avro.ServiceCatalogEntry avro) {
        return new ServiceCatalogEntry(
                avro.getCluster(),
                avro.getService(),
                avro.getCatalogVersion(),
                Optional.ofNullable(avro.getTeam()),
                Optional.ofNullable(avro.getOwner()),
                Nullable.optional(avro.getReservedMillicores()),
                Optional.ofNullable(avro.getPriceClass()),
                new ClientPolicy(
                        Nullable.optional(avro.getTimeoutUs()),
                        Nullable.optional(avro.getRetries()),
                        Nullable.optional(avro.getSloUs()),
                        Nullable.optional(avro.getHorizonUs()),
                        Optional.ofNullable(avro.getRedistributesLoad())),
                Nullable.optional(avro.getMemoryFloorBytes()),
                Nullable.optional(avro.getMemoryBytes()),
                Nullable.optional(avro.getMinimumShards()),
                Optional.ofNullable(avro.getAim()).map(AnalysisFields::aim),
                avro.getDeleted());
    }

    /** The record as it travels. */
    public static io.quotascope.wire.avro.ServiceCatalogEntry toAvro(ServiceCatalogEntry entry) {
        io.quotascope.wire.avro.ServiceCatalogEntry avro =
                new io.quotascope.wire.avro.ServiceCatalogEntry();
        avro.setCluster(entry.cluster());
        avro.setService(entry.service());
        avro.setCatalogVersion(entry.catalogVersion());
        avro.setTeam(entry.team().orElse(null));
        avro.setOwner(entry.owner().orElse(null));
        avro.setReservedMillicores(Nullable.orNull(entry.reservedMillicores()));
        avro.setPriceClass(entry.priceClass().orElse(null));
        avro.setTimeoutUs(Nullable.orNull(entry.load().timeoutUs()));
        avro.setRetries(Nullable.orNull(entry.load().retries()));
        avro.setSloUs(Nullable.orNull(entry.load().sloUs()));
        avro.setHorizonUs(Nullable.orNull(entry.load().horizonUs()));
        avro.setRedistributesLoad(entry.load().redistributesLoad().orElse(null));
        avro.setMemoryFloorBytes(Nullable.orNull(entry.memoryFloorBytes()));
        avro.setMemoryBytes(Nullable.orNull(entry.memoryBytes()));
        avro.setMinimumShards(Nullable.orNull(entry.minimumShards()));
        avro.setAim(entry.aim().map(AnalysisFields::aim).orElse(null));
        avro.setDeleted(entry.deleted());
        return avro;
    }
}
