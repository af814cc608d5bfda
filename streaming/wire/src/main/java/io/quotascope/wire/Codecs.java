package io.quotascope.wire;

import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.ShardIdentity;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.HostWindow;

/** One codec for each record that travels on a topic. */
public final class Codecs {
    /** Topic cpu-usage-windows.v1. */
    public static final RecordCodec<ShardWindow> SHARD_WINDOWS =
            RecordCodec.of(
                    new SingleObject<>(CpuUsageWindow.class, "cpu_usage_window"),
                    ShardWindows::toDomain,
                    ShardWindows::toAvro);

    /** Topic host-windows.v1. */
    public static final RecordCodec<HostReport> HOST_REPORTS =
            RecordCodec.of(
                    new SingleObject<>(HostWindow.class, "host_window"),
                    HostReports::toDomain,
                    HostReports::toAvro);

    /** Topic shard-identities.v1. */
    public static final RecordCodec<ShardIdentity> SHARD_IDENTITIES =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.ShardIdentity.class, "shard_identity"),
                    ShardIdentities::toDomain,
                    ShardIdentities::toAvro);

    /** Topic service-windows.v1. */
    public static final RecordCodec<ServiceWindow> SERVICE_WINDOWS =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.ServiceWindow.class, "service_window"),
                    ServiceWindows::toDomain,
                    ServiceWindows::toAvro);

    /** Topic service-catalog.v1. */
    public static final RecordCodec<ServiceCatalogEntry> CATALOG_ENTRIES =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.ServiceCatalogEntry.class,
                            "service_catalog_entry"),
                    CatalogEntries::toDomain,
                    CatalogEntries::toAvro);

    /** Topic collapse-risks.v1. */
    public static final RecordCodec<CollapseRisk> COLLAPSE_RISKS =
            RecordCodec.of(
                    new SingleObject<>(io.quotascope.wire.avro.CollapseRisk.class, "collapse_risk"),
                    CollapseRisks::toDomain,
                    CollapseRisks::toAvro);

    private Codecs() {}
}
