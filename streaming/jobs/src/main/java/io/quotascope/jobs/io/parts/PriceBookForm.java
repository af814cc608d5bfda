package io.quotascope.jobs.io.parts;

import io.quotascope.domain.savings.PriceBook;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link PriceBook} between operators and in state. */
public final class PriceBookForm extends WireForm<PriceBook> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<PriceBook> type() {
        return PriceBook.class;
    }

    @Override
    protected RecordCodec<PriceBook> codec() {
        return Codecs.PRICE_BOOKS;
    }
}
