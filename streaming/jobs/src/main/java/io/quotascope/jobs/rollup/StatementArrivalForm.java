package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Bytes of a {@link StatementArrival} between operators. Texts are bounded by intake to 512
 * characters, far below the 65,535 bytes that this form can hold.
 */
public final class StatementArrivalForm implements ByteForm<StatementArrival> {
    private static final long serialVersionUID = 1L;
    private static final WindowPartForm PART = new WindowPartForm();

    @Override
    public Class<StatementArrival> type() {
        return StatementArrival.class;
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public void write(StatementArrival value, DataOutput out) throws IOException {
        HostStatement statement = value.statement();
        out.writeUTF(statement.key().origin().name());
        out.writeUTF(statement.key().cluster());
        out.writeUTF(statement.key().service());
        out.writeUTF(statement.key().quotaClass());
        out.writeLong(statement.windowStartUs());
        write(statement.bandwidth().quotaUs(), out);
        write(statement.bandwidth().periodUs(), out);
        out.writeLong(statement.shardRecords());
        out.writeUTF(statement.kernelRelease());
        out.writeBoolean(statement.first());
        PART.write(value.part(), out);
    }

    @Override
    public StatementArrival read(DataInput in, int version) throws IOException {
        ServiceKey key =
                new ServiceKey(
                        Origin.valueOf(in.readUTF()), in.readUTF(), in.readUTF(), in.readUTF());
        long windowStartUs = in.readLong();
        Bandwidth bandwidth = new Bandwidth(read(in), read(in));
        HostStatement statement =
                new HostStatement(
                        key,
                        windowStartUs,
                        bandwidth,
                        in.readLong(),
                        in.readUTF(),
                        version >= 2 && in.readBoolean());
        return new StatementArrival(statement, PART.read(in, PART.version()));
    }

    private static void write(OptionalLong value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeLong(value.getAsLong());
        }
    }

    private static OptionalLong read(DataInput in) throws IOException {
        return in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
    }
}
