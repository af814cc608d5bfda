package io.quotascope.jobs.io.state;

import io.quotascope.wire.RecordCodec;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Records in the form in which they travel on their topic. State in this form reads through schema
 * versions as the topic does, so its own version stays 1.
 *
 * @param <T> the domain's form of the record
 */
public abstract class WireForm<T> implements ByteForm<T> {
    private static final long serialVersionUID = 1L;

    /** The codec of the topic. */
    protected abstract RecordCodec<T> codec();

    @Override
    public final int version() {
        return 1;
    }

    @Override
    public final void write(T value, DataOutput out) throws IOException {
        FramedBytes.write(codec().encode(value), out);
    }

    @Override
    public final T read(DataInput in, int version) throws IOException {
        return codec().decode(FramedBytes.read(in)).orElseThrow();
    }
}
