package io.quotascope.jobs.io.horizon;

import io.quotascope.domain.hour.LoadHours;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link KeptHours}: 64 an hour and 20. */
public final class KeptHoursForm implements ByteForm<KeptHours> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<KeptHours> type() {
        return KeptHours.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(KeptHours value, DataOutput out) throws IOException {
        out.writeLong(value.revision());
        out.writeLong(value.lastRowMs());
        long[] cells = value.hours().cells();
        out.writeInt(cells.length);
        for (long cell : cells) {
            out.writeLong(cell);
        }
    }

    @Override
    public KeptHours read(DataInput in, int version) throws IOException {
        long revision = in.readLong();
        long lastRowMs = in.readLong();
        long[] cells = new long[in.readInt()];
        for (int at = 0; at < cells.length; at++) {
            cells[at] = in.readLong();
        }
        return new KeptHours(LoadHours.of(cells), revision, lastRowMs);
    }
}
