package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link WindowPart} as the key of a row in state. */
public final class WindowPartForm implements ByteForm<WindowPart> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<WindowPart> type() {
        return WindowPart.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(WindowPart value, DataOutput out) throws IOException {
        out.writeLong(value.minuteStartUs());
        out.writeLong(value.part());
    }

    @Override
    public WindowPart read(DataInput in, int version) throws IOException {
        return new WindowPart(in.readLong(), in.readLong());
    }
}
