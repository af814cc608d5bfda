package io.quotascope.fleetsim.door;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.PriceBook.Packing;
import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.wire.Codecs;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What owners would have told the pipeline: who owns what, and what a core costs. */
final class References {
    private static final double USD_PER_CORE_YEAR = 300;
    private static final double USD_PER_GIB_YEAR = 35;
    private static final double DISCOUNT = 0.2;
    private static final double HOST_CORES = 32;
    private static final double PACKING = 0.7;

    private References() {}

    /** Writes catalog and price book as of the start. */
    static void write(Fleet fleet, TopicWriter writer) {
        long startMs = fleet.settings().startUs() / 1000;
        for (Service service : fleet.services()) {
            ServiceCatalogEntry entry = entry(service);
            writer.write(
                    Topics.SERVICE_CATALOG,
                    entry.topicKey(),
                    Codecs.CATALOG_ENTRIES.encode(entry),
                    startMs);
        }
        writer.write(
                Topics.PRICE_BOOK,
                "price-book",
                Codecs.PRICE_BOOKS.encode(prices(fleet.settings().startUs())),
                startMs);
    }

    /** The reservation is left to the quota, so that it follows its changes. */
    private static ServiceCatalogEntry entry(Service service) {
        return new ServiceCatalogEntry(
                service.cluster(),
                service.name(),
                1,
                Optional.of(service.team()),
                Optional.of(service.team() + "@example.invalid"),
                OptionalLong.empty(),
                Optional.empty(),
                new ServiceCatalogEntry.ClientPolicy(
                        OptionalLong.of(service.kind().client().timeoutUs()),
                        OptionalInt.of(service.kind().client().retries()),
                        OptionalLong.empty()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                false);
    }

    private static PriceBook prices(long startUs) {
        return new PriceBook(
                1,
                List.of(
                        new Price(
                                PriceBook.DEFAULT_CLASS,
                                startUs,
                                USD_PER_CORE_YEAR,
                                USD_PER_GIB_YEAR,
                                DISCOUNT,
                                Optional.empty(),
                                Optional.of(new Packing(HOST_CORES, PACKING)))),
                Optional.of("invented for the simulated fleet"));
    }
}
