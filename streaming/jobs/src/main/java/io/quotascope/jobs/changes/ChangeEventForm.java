package io.quotascope.jobs.changes;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ChangeEvent} between operators. */
public final class ChangeEventForm extends WireForm<ChangeEvent> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ChangeEvent> type() {
        return ChangeEvent.class;
    }

    @Override
    protected RecordCodec<ChangeEvent> codec() {
        return Codecs.CHANGE_EVENTS;
    }
}
