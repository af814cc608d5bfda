package io.quotascope.jobs.io.parts;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link MergedParts} in state. */
public final class MergedPartsForm implements ByteForm<MergedParts> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<MergedParts> type() {
        return MergedParts.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(MergedParts value, DataOutput out) throws IOException {
        FramedBytes.write(value.framed(), out);
        out.writeLong(value.windowStartUs());
        out.writeLong(value.lastPart());
        out.writeLong(value.revision());
        out.writeLong(value.lastRowMs());
    }

    @Override
    public MergedParts read(DataInput in, int version) throws IOException {
        return new MergedParts(
                FramedBytes.read(in), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
