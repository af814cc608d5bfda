package io.quotascope.jobs.io.parts;

import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link Reference} between operators. */
public final class ReferenceForm implements ByteForm<Reference> {
    private static final long serialVersionUID = 1L;

    private final CatalogEntryForm entries = new CatalogEntryForm();
    private final PriceBookForm books = new PriceBookForm();
    private final ConcurrencyCostForm costs = new ConcurrencyCostForm();

    @Override
    public Class<Reference> type() {
        return Reference.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(Reference value, DataOutput out) throws IOException {
        if (value instanceof Reference.Entry entry) {
            out.writeByte(1);
            entries.write(entry.entry(), out);
        } else if (value instanceof Reference.Prices prices) {
            out.writeByte(0);
            books.write(prices.book(), out);
        } else if (value instanceof Reference.Cost cost) {
            out.writeByte(2);
            costs.write(cost.cost(), out);
        }
    }

    @Override
    public Reference read(DataInput in, int version) throws IOException {
        // 0 and 1 are the truth values of a form that knew two kinds.
        return switch (in.readByte()) {
            case 0 -> new Reference.Prices(books.read(in, books.version()));
            case 1 -> new Reference.Entry(entries.read(in, entries.version()));
            default -> new Reference.Cost(costs.read(in, costs.version()));
        };
    }
}
