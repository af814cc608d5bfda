package io.quotascope.jobs.alerts;

import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.parts.CatalogState;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Reads off each row that came in time what it says about alerts. Later parts are about minutes
 * that are long past, and an alert is about now. No state but the catalog.
 */
public final class ReadServiceFunction
        extends BroadcastProcessFunction<ServiceWindow, ServiceCatalogEntry, ServiceReadings> {
    private static final long serialVersionUID = 1L;

    private final CatalogState catalog;
    private final long revision;

    /**
     * @param catalog the broadcast catalog
     * @param revision reprocessing revision, at least
     */
    public ReadServiceFunction(CatalogState catalog, long revision) {
        this.catalog = catalog;
        this.revision = revision;
    }

    @Override
    public void processElement(
            ServiceWindow row, ReadOnlyContext context, Collector<ServiceReadings> out)
            throws Exception {
        if (row.part() == 0) {
            out.collect(
                    ServiceReadings.of(
                            row.sums(),
                            catalog.view(
                                    context.getBroadcastState(catalog.descriptor()),
                                    row.sums().key(),
                                    Math.max(revision, row.revision()))));
        }
    }

    @Override
    public void processBroadcastElement(
            ServiceCatalogEntry entry, Context context, Collector<ServiceReadings> out)
            throws Exception {
        catalog.take(entry, context.getBroadcastState(catalog.descriptor()));
    }
}
