package io.quotascope.jobs.io.alerts;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ThrottlingAlert} between operators. */
public final class AlertForm extends WireForm<ThrottlingAlert> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ThrottlingAlert> type() {
        return ThrottlingAlert.class;
    }

    @Override
    protected RecordCodec<ThrottlingAlert> codec() {
        return Codecs.THROTTLING_ALERTS;
    }
}
