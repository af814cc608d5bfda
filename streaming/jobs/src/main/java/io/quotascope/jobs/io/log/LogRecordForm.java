package io.quotascope.jobs.io.log;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link LogRecord} between operators. */
public final class LogRecordForm implements ByteForm<LogRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<LogRecord> type() {
        return LogRecord.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(LogRecord value, DataOutput out) throws IOException {
        out.writeUTF(value.topic());
        out.writeInt(value.partition());
        out.writeLong(value.offset());
        out.writeLong(value.appendTimeMs());
        FramedBytes.write(value.value(), out);
    }

    @Override
    public LogRecord read(DataInput in, int version) throws IOException {
        return new LogRecord(
                in.readUTF(), in.readInt(), in.readLong(), in.readLong(), FramedBytes.read(in));
    }
}
