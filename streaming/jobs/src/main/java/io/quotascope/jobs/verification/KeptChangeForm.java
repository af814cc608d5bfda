package io.quotascope.jobs.verification;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link KeptChange} in state; the event in the form of its topic. */
public final class KeptChangeForm implements ByteForm<KeptChange> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<KeptChange> type() {
        return KeptChange.class;
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public void write(KeptChange value, DataOutput out) throws IOException {
        FramedBytes.write(Codecs.CHANGE_EVENTS.encode(value.event()), out);
        out.writeLong(value.judgedHours());
        out.writeLong(value.dueHours());
        out.writeLong(value.dueMs());
        out.writeBoolean(value.regressed());
    }

    @Override
    public KeptChange read(DataInput in, int version) throws IOException {
        return new KeptChange(
                Codecs.CHANGE_EVENTS.decode(FramedBytes.read(in)).orElseThrow(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                // The first form was written before anything was told of it.
                version > 1 && in.readBoolean());
    }
}
