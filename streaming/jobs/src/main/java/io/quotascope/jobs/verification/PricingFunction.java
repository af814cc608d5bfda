package io.quotascope.jobs.verification;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.References;
import java.io.Serializable;
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
 * <p>State: of each change without a price its last row, about 1.5 KiB, for {@link #KEPT_MS}; the
 * catalog and the price book, once a task.
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
        V known = priced(row, References.in(context));
        out.collect(known);
        if (form.lacksPrice(known)) {
            unpriced.update(form.bytes(known));
            context.timerService().registerEventTimeTimer(context.timestamp() + KEPT_MS);
        } else {
            unpriced.clear();
        }
    }

    @Override
    public void processBroadcastElement(Reference reference, Context context, Collector<V> out)
            throws Exception {
        References.put(reference, context);
        References known = References.in(context);
        context.applyToKeyedState(
                UNPRICED,
                (change, kept) -> {
                    V row = priced(form.row(kept.value()), known);
                    if (!form.lacksPrice(row)) {
                        out.collect(row);
                        kept.clear();
                    }
                });
    }

    private V priced(V row, References known) throws Exception {
        Optional<PriceBook> book = known.prices();
        if (book.isEmpty() || !form.lacksPrice(row)) {
            return row;
        }
        Optional<String> priceClass =
                known.catalog(form.service(row), revision)
                        .entry()
                        .flatMap(ServiceCatalogEntry::priceClass);
        return form.priced(row, book.get(), priceClass);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<V> out) {
        unpriced.clear();
    }
}
