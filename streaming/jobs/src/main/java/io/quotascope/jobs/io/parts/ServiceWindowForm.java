package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ServiceWindow} between operators and in state. */
public final class ServiceWindowForm extends WireForm<ServiceWindow> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServiceWindow> type() {
        return ServiceWindow.class;
    }

    @Override
    protected RecordCodec<ServiceWindow> codec() {
        return Codecs.SERVICE_WINDOWS;
    }
}
