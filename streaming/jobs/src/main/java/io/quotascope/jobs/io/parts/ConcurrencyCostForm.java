package io.quotascope.jobs.io.parts;

import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ConcurrencyCost} between operators and in state. */
public final class ConcurrencyCostForm extends WireForm<ConcurrencyCost> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ConcurrencyCost> type() {
        return ConcurrencyCost.class;
    }

    @Override
    protected RecordCodec<ConcurrencyCost> codec() {
        return Codecs.CONCURRENCY_COSTS;
    }
}
