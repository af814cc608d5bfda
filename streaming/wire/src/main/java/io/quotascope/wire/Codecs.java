package io.quotascope.wire;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.ChangeEvent;
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

    /** Topic price-book.v1. */
    public static final RecordCodec<PriceBook> PRICE_BOOKS =
            RecordCodec.of(
                    new SingleObject<>(io.quotascope.wire.avro.PriceBook.class, "price_book"),
                    PriceBooks::toDomain,
                    PriceBooks::toAvro);

    /** Topic change-events.v1. */
    public static final RecordCodec<ChangeEvent> CHANGE_EVENTS =
            RecordCodec.of(
                    new SingleObject<>(io.quotascope.wire.avro.ChangeEvent.class, "change_event"),
                    ChangeEvents::toDomain,
                    ChangeEvents::toAvro);

    /** Topic recommendation-ledger.v1. */
    public static final RecordCodec<Recommendation> RECOMMENDATIONS =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.Recommendation.class, "recommendation"),
                    Recommendations::toDomain,
                    Recommendations::toAvro);

    /** Topic service-load.v1. */
    public static final RecordCodec<ServiceLoad> SERVICE_LOADS =
            RecordCodec.of(
                    new SingleObject<>(io.quotascope.wire.avro.ServiceLoad.class, "service_load"),
                    ServiceLoads::toDomain,
                    ServiceLoads::toAvro);

    /** Topic concurrency-costs.v1. */
    public static final RecordCodec<ConcurrencyCost> CONCURRENCY_COSTS =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.ConcurrencyCost.class, "concurrency_cost"),
                    ConcurrencyCosts::toDomain,
                    ConcurrencyCosts::toAvro);

    /** Topic throttling-alerts.v1. */
    public static final RecordCodec<ThrottlingAlert> THROTTLING_ALERTS =
            RecordCodec.of(
                    new SingleObject<>(
                            io.quotascope.wire.avro.ThrottlingAlert.class, "throttling_alert"),
                    ThrottlingAlerts::toDomain,
                    ThrottlingAlerts::toAvro);

    private Codecs() {}
}
