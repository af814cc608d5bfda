package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostSpan;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link HostSpan} in state. */
public final class HostSpanForm extends MutableForm<HostSpan> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<HostSpan> type() {
        return HostSpan.class;
    }

    @Override
    public void write(HostSpan value, DataOutput out) throws IOException {
        HostBytes.writeSpan(value, out);
    }

    @Override
    public HostSpan read(DataInput in, int version) throws IOException {
        return HostBytes.readSpan(in);
    }
}
