package io.quotascope.jobs.verification;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.References;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Gives the cores of changes that nobody had proposed the price that was in force when they were
 * made. A row never waits for a price: it leaves without one and leaves again once a price book or
 * a catalog entry that prices it is read, so that it does not matter what was read first.
 *
 * <p>State: of each change without a price, or of a service without a catalog entry, its last row,
 * about 1.5 KiB, for {@link #KEPT_MS}; the catalog and the price book, once a task.
 *
 * @param <V> rows of changes, whose form only the topology knows
 */
public final class PricingFunction<V>
        extends KeyedBroadcastProcessFunction<String, V, Reference, V> {
    private static final long serialVersionUID = 1L;

    /** As long as the verification knows a change, milliseconds. */
    static final long KEPT_MS = 36 * 86_400_000L;

    private static final ValueStateDescriptor<byte[]> UNPRICED =
            new ValueStateDescriptor<>(
                    "unpriced", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

    /** How a row takes its price over, given by the topology; it runs on the task managers. */
    public interface Form<V> extends Serializable {
        /** Whether cores were realised for which no price is known. */
        boolean lacksPrice(V row);

        /** Whose change it is; the class does not matter. */
        ServiceKey service(V row);

        V priced(V row, PriceBook book, Optional<String> priceClass);

        /** Its bytes, readable by later versions. */
        byte[] bytes(V row);

        V row(byte[] bytes);
    }

    private final Form<V> form;
    private final long revision;
    private transient ValueState<byte[]> unpriced;

    /**
     * @param form how a row takes its price over
     * @param revision reprocessing revision of the rows
     */
    PricingFunction(Form<V> form, long revision) {
        this.form = form;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        unpriced = getRuntimeContext().getState(UNPRICED);
    }

    @Override
    public void processElement(V row, ReadOnlyContext context, Collector<V> out) throws Exception {
        References known = References.in(context);
        Optional<ServiceCatalogEntry> entry = entry(row, known);
        V told = priced(row, known.prices(), entry);
        out.collect(told);
        if (isOpen(row, told, entry)) {
            unpriced.update(form.bytes(row));
            context.timerService().registerEventTimeTimer(context.timestamp() + KEPT_MS);
        } else {
            unpriced.clear();
        }
    }

    @Override
    public void processBroadcastElement(Reference reference, Context context, Collector<V> out)
            throws Exception {
        References known = References.in(context);
        Optional<PriceBook> bookBefore = known.prices();
        Optional<Entry> said = Optional.empty();
        if (reference instanceof Reference.Entry one) {
            said = Optional.of(new Entry(one.entry(), known.replacedBy(one.entry())));
        } else if (!(reference instanceof Reference.Prices)) {
            return;
        }
        References.put(reference, context);
        Optional<Entry> changed = said;
        context.applyToKeyedState(
                UNPRICED,
                (change, kept) -> {
                    V row = form.row(kept.value());
                    Optional<ServiceCatalogEntry> entry = entry(row, known);
                    Optional<ServiceCatalogEntry> before =
                            changed.filter(each -> each.isOf(form.service(row))).isPresent()
                                    ? changed.get().before()
                                    : entry;
                    V told = priced(row, bookBefore, before);
                    V tellable = priced(row, known.prices(), entry);
                    if (!Arrays.equals(form.bytes(told), form.bytes(tellable))) {
                        out.collect(tellable);
                    }
                    if (!isOpen(row, tellable, entry)) {
                        kept.clear();
                    }
                });
    }

    /** An entry that was just told, and the one that it replaces. */
    private record Entry(ServiceCatalogEntry told, Optional<ServiceCatalogEntry> before) {
        boolean isOf(ServiceKey key) {
            return told.cluster().equals(key.cluster()) && told.service().equals(key.service());
        }
    }

    /** Whether what is still to be read may price it otherwise: the book, or what its class is. */
    private boolean isOpen(V row, V told, Optional<ServiceCatalogEntry> entry) {
        return form.lacksPrice(row) && (form.lacksPrice(told) || entry.isEmpty());
    }

    private Optional<ServiceCatalogEntry> entry(V row, References known) throws Exception {
        return known.catalog(form.service(row), revision).entry();
    }

    private V priced(V row, Optional<PriceBook> book, Optional<ServiceCatalogEntry> entry) {
        return book.isEmpty() || !form.lacksPrice(row)
                ? row
                : form.priced(row, book.get(), entry.flatMap(ServiceCatalogEntry::priceClass));
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<V> out) {
        unpriced.clear();
    }
}
