package io.quotascope.jobs.io.kafka;

/** Names of the topics of schemas/topics.yaml, as far as the jobs need them. */
public final class Topics {
    public static final String CPU_USAGE_WINDOWS = "cpu-usage-windows.v1";
    public static final String HOST_WINDOWS = "host-windows.v1";
    public static final String SHARD_IDENTITIES = "shard-identities.v1";
    public static final String SERVICE_WINDOWS = "service-windows.v1";
    public static final String SERVICE_HOURS = "service-hours.v1";
    public static final String COLLAPSE_RISKS = "collapse-risks.v1";
    public static final String SAVINGS_ESTIMATES = "savings-estimates.v1";
    public static final String SERVICE_CATALOG = "service-catalog.v1";
    public static final String PRICE_BOOK = "price-book.v1";
    public static final String CHANGE_EVENTS = "change-events.v1";
    public static final String THROTTLING_ALERTS = "throttling-alerts.v1";
    public static final String RECOMMENDATION_LEDGER = "recommendation-ledger.v1";
    public static final String SERVICE_LOAD = "service-load.v1";
    public static final String CONCURRENCY_COSTS = "concurrency-costs.v1";
    public static final String DEAD_LETTERS = "cpu-usage-windows.dlq.v1";

    private Topics() {}
}
