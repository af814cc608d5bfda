package io.quotascope.jobs.verification;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link KeptHistory} in state. */
public final class KeptHistoryForm implements ByteForm<KeptHistory> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<KeptHistory> type() {
        return KeptHistory.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(KeptHistory value, DataOutput out) throws IOException {
        FramedBytes.write(value.packed(), out);
        out.writeLong(value.newestUs());
        out.writeLong(value.lastRowMs());
    }

    @Override
    public KeptHistory read(DataInput in, int version) throws IOException {
        return new KeptHistory(FramedBytes.read(in), in.readLong(), in.readLong());
    }
}
