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
            out.writeBoolean(true);
            entries.write(entry.entry(), out);
        } else if (value instanceof Reference.Prices prices) {
            out.writeBoolean(false);
            books.write(prices.book(), out);
        }
    }

    @Override
    public Reference read(DataInput in, int version) throws IOException {
        return in.readBoolean()
                ? new Reference.Entry(entries.read(in, entries.version()))
                : new Reference.Prices(books.read(in, books.version()));
    }
}
