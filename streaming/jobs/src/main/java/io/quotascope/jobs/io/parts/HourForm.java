package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of the peak of an hour in state: 16. */
public final class HourForm implements ByteForm<LoadPeaks.Hour> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<LoadPeaks.Hour> type() {
        return LoadPeaks.Hour.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(LoadPeaks.Hour value, DataOutput out) throws IOException {
        out.writeDouble(value.coresPerShard());
        out.writeDouble(value.cores());
    }

    @Override
    public LoadPeaks.Hour read(DataInput in, int version) throws IOException {
        return new LoadPeaks.Hour(in.readDouble(), in.readDouble());
    }
}
