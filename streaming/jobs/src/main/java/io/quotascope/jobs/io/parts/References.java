package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.BaseBroadcastProcessFunction;

/** Catalog, price book and costs of concurrency as a job finds them when it judges. */
public final class References {
    private static final CatalogState CATALOG =
            new CatalogState(new ByteFormType<>(new CatalogEntryForm()));

    private static final MapStateDescriptor<String, PriceBook> PRICES =
            new MapStateDescriptor<>(
                    "price-book", Types.STRING, new ByteFormType<>(new PriceBookForm()));

    private static final MapStateDescriptor<String, ConcurrencyCost> COSTS =
            new MapStateDescriptor<>(
                    "concurrency-costs",
                    Types.STRING,
                    new ByteFormType<>(new ConcurrencyCostForm()));

    /** There is one book, with all its versions in it. */
    private static final String BOOK = "price-book";

    private final ReadOnlyBroadcastState<String, ServiceCatalogEntry> catalog;
    private final ReadOnlyBroadcastState<String, PriceBook> prices;
    private final ReadOnlyBroadcastState<String, ConcurrencyCost> costs;

    private References(
            ReadOnlyBroadcastState<String, ServiceCatalogEntry> catalog,
            ReadOnlyBroadcastState<String, PriceBook> prices,
            ReadOnlyBroadcastState<String, ConcurrencyCost> costs) {
        this.catalog = catalog;
        this.prices = prices;
        this.costs = costs;
    }

    /** The broadcast state of a job that judges with them. */
    public static List<MapStateDescriptor<?, ?>> descriptors() {
        return List.of(CATALOG.descriptor(), PRICES, COSTS);
    }

    /** Those that a row finds. */
    public static References in(BaseBroadcastProcessFunction.ReadOnlyContext context) {
        return new References(
                context.getBroadcastState(CATALOG.descriptor()),
                context.getBroadcastState(PRICES),
                context.getBroadcastState(COSTS));
    }

    /** Those that are known once one more was told. */
    public static References in(BaseBroadcastProcessFunction.Context context) {
        return new References(
                context.getBroadcastState(CATALOG.descriptor()),
                context.getBroadcastState(PRICES),
                context.getBroadcastState(COSTS));
    }

    /** Keeps what was said last: greater versions replace smaller ones. */
    public static void put(Reference reference, BaseBroadcastProcessFunction.Context context)
            throws Exception {
        if (reference instanceof Reference.Entry said) {
            CATALOG.take(said.entry(), context.getBroadcastState(CATALOG.descriptor()));
        } else if (reference instanceof Reference.Prices said) {
            PriceBook known = context.getBroadcastState(PRICES).get(BOOK);
            if (known == null || known.version() <= said.book().version()) {
                context.getBroadcastState(PRICES).put(BOOK, said.book());
            }
        } else if (reference instanceof Reference.Cost said) {
            ConcurrencyCost known = context.getBroadcastState(COSTS).get(said.cost().topicKey());
            if (known == null || known.version() <= said.cost().version()) {
                context.getBroadcastState(COSTS).put(said.cost().topicKey(), said.cost());
            }
        }
    }

    /** What is known of a service, at a reprocessing revision. */
    public CatalogView catalog(ServiceKey key, long revision) throws Exception {
        ConcurrencyCost cost =
                costs.get(key.origin().label() + '/' + key.cluster() + '/' + key.service());
        CatalogView view = CATALOG.view(catalog, key, revision);
        // The topic's key joins names with a slash, which a name may contain too.
        return cost != null && cost.isOf(key)
                ? new CatalogView(view.entry(), view.revision(), cost.asKappa())
                : view;
    }

    /** The entry of the same service that is known before this one is told; absent without one. */
    public Optional<ServiceCatalogEntry> replacedBy(ServiceCatalogEntry entry) throws Exception {
        return Optional.ofNullable(catalog.get(entry.topicKey()))
                .filter(each -> each.cluster().equals(entry.cluster()));
    }

    /** The price book; absent until one was told. */
    public Optional<PriceBook> prices() throws Exception {
        return Optional.ofNullable(prices.get(BOOK));
    }
}
