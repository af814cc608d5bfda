package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.PriceBook;

/** What is broadcast to a job of analyses beside the stream. */
public sealed interface Reference {
    /** A catalog entry, which may withdraw one. */
    record Entry(ServiceCatalogEntry entry) implements Reference {}

    /** The whole price book. */
    record Prices(PriceBook book) implements Reference {}

    /** What concurrency costs a service. */
    record Cost(ConcurrencyCost cost) implements Reference {}
}
