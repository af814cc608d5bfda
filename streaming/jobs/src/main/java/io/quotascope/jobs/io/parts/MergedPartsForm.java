package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link MergedParts} in state: the merge looks like a row whose part is the last one. */
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
        FramedBytes.write(Codecs.SERVICE_WINDOWS.encode(new ServiceWindow(value.sums(), value.lastPart(), value.revision())), out);
        out.writeLong(value.lastRowMs());
    }

    @Override
    public MergedParts read(DataInput in, int version) throws IOException {
        ServiceWindow merged = Codecs.SERVICE_WINDOWS.decode(FramedBytes.read(in)).orElseThrow();
        return new MergedParts(merged.sums(), merged.part(), merged.revision(), in.readLong());
    }
}
