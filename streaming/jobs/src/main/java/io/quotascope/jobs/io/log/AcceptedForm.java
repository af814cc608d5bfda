package io.quotascope.jobs.io.log;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Bytes of accepted records between operators: the message as it came, which is decoded again where
 * it arrives.
 */
public abstract class AcceptedForm<R> implements ByteForm<Accepted<R>> {
    private static final long serialVersionUID = 1L;

    AcceptedForm() {}

    abstract RecordCodec<R> codec();

    @Override
    @SuppressWarnings("unchecked") // Erased: every Accepted has the same class.
    public Class<Accepted<R>> type() {
        return (Class<Accepted<R>>) (Class<?>) Accepted.class;
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public void write(Accepted<R> value, DataOutput out) throws IOException {
        FramedBytes.write(value.framed(), out);
        out.writeLong(value.appendTimeMs());
        out.writeLong(value.part().minuteStartUs());
        out.writeLong(value.part().part());
        out.writeBoolean(value.missingBefore().isPresent());
        if (value.missingBefore().isPresent()) {
            out.writeLong(value.missingBefore().getAsLong());
        }
    }

    @Override
    public Accepted<R> read(DataInput in, int version) throws IOException {
        byte[] framed = FramedBytes.read(in);
        return new Accepted<>(
                framed,
                codec().decode(framed).orElseThrow(),
                in.readLong(),
                new WindowPart(in.readLong(), in.readLong()),
                version > 1 && in.readBoolean()
                        ? OptionalLong.of(in.readLong())
                        : OptionalLong.empty());
    }

    /** Of shards. */
    public static final class OfShards extends AcceptedForm<ShardWindow> {
        private static final long serialVersionUID = 1L;

        @Override
        RecordCodec<ShardWindow> codec() {
            return Codecs.SHARD_WINDOWS;
        }
    }

    /** Of hosts. */
    public static final class OfHosts extends AcceptedForm<HostReport> {
        private static final long serialVersionUID = 1L;

        @Override
        RecordCodec<HostReport> codec() {
            return Codecs.HOST_REPORTS;
        }
    }
}
