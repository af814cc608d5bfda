package io.quotascope.jobs.intake;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of arrivals between operators: the message as it came. */
abstract class ArrivalForm<R> implements ByteForm<Arrival<R>> {
    private static final long serialVersionUID = 1L;

    abstract RecordCodec<R> codec();

    @Override
    @SuppressWarnings("unchecked") // Erased: every Arrival has the same class.
    public Class<Arrival<R>> type() {
        return (Class<Arrival<R>>) (Class<?>) Arrival.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(Arrival<R> value, DataOutput out) throws IOException {
        FramedBytes.write(value.framed(), out);
        out.writeLong(value.appendTimeMs());
    }

    @Override
    public Arrival<R> read(DataInput in, int version) throws IOException {
        byte[] framed = FramedBytes.read(in);
        return new Arrival<>(framed, codec().decode(framed).orElseThrow(), in.readLong());
    }

    /** Of shards. */
    static final class OfShards extends ArrivalForm<ShardWindow> {
        private static final long serialVersionUID = 1L;

        @Override
        RecordCodec<ShardWindow> codec() {
            return Codecs.SHARD_WINDOWS;
        }
    }

    /** Of hosts. */
    static final class OfHosts extends ArrivalForm<HostReport> {
        private static final long serialVersionUID = 1L;

        @Override
        RecordCodec<HostReport> codec() {
            return Codecs.HOST_REPORTS;
        }
    }
}
