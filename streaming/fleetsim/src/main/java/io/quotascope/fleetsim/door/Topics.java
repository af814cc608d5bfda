package io.quotascope.fleetsim.door;

/** The topics of schemas/topics.yaml that a simulated fleet writes. */
final class Topics {
    static final String CPU_USAGE_WINDOWS = "cpu-usage-windows.v1";
    static final String HOST_WINDOWS = "host-windows.v1";
    static final String SERVICE_WINDOWS = "service-windows.v1";
    static final String SERVICE_CATALOG = "service-catalog.v1";
    static final String PRICE_BOOK = "price-book.v1";
    static final String CHANGE_EVENTS = "change-events.v1";

    private Topics() {}
}
