package io.quotascope.jobs.hours;

import io.quotascope.domain.hour.HourPart;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of an {@link HourPart} as the key of a tally in state. */
public final class HourPartForm implements ByteForm<HourPart> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<HourPart> type() {
        return HourPart.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(HourPart value, DataOutput out) throws IOException {
        out.writeLong(value.hourStartUs());
        out.writeLong(value.part());
    }

    @Override
    public HourPart read(DataInput in, int version) throws IOException {
        return new HourPart(in.readLong(), in.readLong());
    }
}
