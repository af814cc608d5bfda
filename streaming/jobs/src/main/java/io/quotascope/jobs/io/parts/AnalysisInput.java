package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What a job of analyses reads.
 *
 * @param rows service windows, with the clock of their topic
 * @param references catalog entries, price books and costs of concurrency, with a clock that holds
 *     nothing back
 */
public record AnalysisInput(DataStream<ServiceWindow> rows, DataStream<Reference> references) {
    private static final TypeInformation<Reference> REFERENCE =
            new ByteFormType<>(new ReferenceForm());

    /** Rows and the catalog. */
    public static AnalysisInput of(JudgingInput input) {
        return new AnalysisInput(input.rows(), entries(input.catalog()));
    }

    /** Catalog entries, to be broadcast. */
    public static DataStream<Reference> entries(DataStream<ServiceCatalogEntry> catalog) {
        return catalog.map(entry -> (Reference) new Reference.Entry(entry))
                .returns(REFERENCE)
                .uid("catalog-entries")
                .name("catalog entries")
                .setParallelism(1);
    }

    /** Price books, to be broadcast. */
    public static DataStream<Reference> prices(DataStream<PriceBook> books) {
        return books.map(book -> (Reference) new Reference.Prices(book))
                .returns(REFERENCE)
                .uid("price-books")
                .name("price books")
                .setParallelism(1);
    }

    /** The same with what concurrency costs services beside it. */
    public AnalysisInput withCosts(DataStream<ConcurrencyCost> known) {
        DataStream<Reference> costs =
                known.map(cost -> (Reference) new Reference.Cost(cost))
                        .returns(REFERENCE)
                        .uid("costs-of-concurrency")
                        .name("costs of concurrency")
                        .setParallelism(1);
        return new AnalysisInput(rows, references.union(costs));
    }

    /** The same with a price book beside it. */
    public AnalysisInput with(DataStream<PriceBook> books) {
        return new AnalysisInput(rows, references.union(prices(books)));
    }

    /**
     * Runs a function over the rows of each service and class, with what is broadcast beside it.
     *
     * @param uid identity of the operator in savepoints
     * @param type of what it emits
     */
    public <O> DataStream<O> analyse(
            String uid, AnalysingFunction<O> function, TypeInformation<O> type) {
        BroadcastStream<Reference> beside =
                references.broadcast(
                        References.descriptors()
                                .toArray(
                                        new org.apache.flink.api.common.state.MapStateDescriptor
                                                [0]));
        return rows.keyBy(row -> KeyText.of(row.sums().key()), Types.STRING)
                .connect(beside)
                .process(function, type)
                .uid(uid)
                .name(uid);
    }
}
