package io.quotascope.jobs.costs;

import io.quotascope.domain.window.Origin;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link CostReading} between operators. */
public final class CostReadingForm implements ByteForm<CostReading> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<CostReading> type() {
        return CostReading.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(CostReading value, DataOutput out) throws IOException {
        out.writeByte(value.origin().ordinal());
        out.writeUTF(value.cluster());
        out.writeUTF(value.service());
        out.writeLong(value.minuteUs());
        out.writeLong(value.requests());
        out.writeByte(value.workUs().length);
        for (long work : value.workUs()) {
            out.writeLong(work);
        }
    }

    @Override
    public CostReading read(DataInput in, int version) throws IOException {
        Origin origin = Origin.values()[in.readByte()];
        String cluster = in.readUTF();
        String service = in.readUTF();
        long minuteUs = in.readLong();
        long requests = in.readLong();
        long[] work = new long[in.readByte()];
        for (int at = 0; at < work.length; at++) {
            work[at] = in.readLong();
        }
        return new CostReading(origin, cluster, service, minuteUs, requests, work);
    }
}
