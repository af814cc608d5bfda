package io.quotascope.jobs.rollup;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link ShardArrival} between operators: the message as it came. */
public final class ShardArrivalForm implements ByteForm<ShardArrival> {
    private static final long serialVersionUID = 1L;
    private static final WindowPartForm PART = new WindowPartForm();

    @Override
    public Class<ShardArrival> type() {
        return ShardArrival.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ShardArrival value, DataOutput out) throws IOException {
        FramedBytes.write(value.framed(), out);
        PART.write(value.part(), out);
    }

    @Override
    public ShardArrival read(DataInput in, int version) throws IOException {
        byte[] framed = FramedBytes.read(in);
        return new ShardArrival(
                framed,
                Codecs.SHARD_WINDOWS.decode(framed).orElseThrow(),
                PART.read(in, PART.version()));
    }
}
