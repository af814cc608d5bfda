package io.quotascope.jobs.hosts;

import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link Speaker} in state. */
public final class SpeakerForm implements ByteForm<Speaker> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<Speaker> type() {
        return Speaker.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(Speaker value, DataOutput out) throws IOException {
        HostBytes.writeKey(value.key(), out);
        out.writeLong(value.lastAppendMs());
    }

    @Override
    public Speaker read(DataInput in, int version) throws IOException {
        return new Speaker(HostBytes.readKey(in), in.readLong());
    }
}
