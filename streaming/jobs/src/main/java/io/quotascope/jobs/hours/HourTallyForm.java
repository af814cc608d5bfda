package io.quotascope.jobs.hours;

import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.hour.MinuteSums;
import io.quotascope.domain.window.SlotCounts;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Bytes of a {@link HourTally} in state: the framed sums, then 64 bytes a row. */
public final class HourTallyForm implements ByteForm<HourTally> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<HourTally> type() {
        return HourTally.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(HourTally value, DataOutput out) throws IOException {
        FramedBytes.write(value.framed(), out);
        out.writeLong(value.revision());
        out.writeLong(value.lastRowMs());
        out.writeLong(value.dueMs());
        out.writeInt(value.rows().size());
        for (Map.Entry<WindowPart, MinuteSums> row : value.rows().entrySet()) {
            out.writeLong(row.getKey().minuteStartUs());
            out.writeLong(row.getKey().part());
            for (int count : row.getValue().slotRecords().toList()) {
                out.writeInt(count);
            }
            out.writeLong(row.getValue().usageUs());
            out.writeLong(row.getValue().periods());
            out.writeLong(row.getValue().throttledPeriods());
        }
    }

    @Override
    public HourTally read(DataInput in, int version) throws IOException {
        byte[] framed = FramedBytes.read(in);
        long revision = in.readLong();
        long lastRowMs = in.readLong();
        long dueMs = in.readLong();
        TreeMap<WindowPart, MinuteSums> rows = new TreeMap<>(HourSums.ROW_ORDER);
        for (int left = in.readInt(); left > 0; left--) {
            WindowPart place = new WindowPart(in.readLong(), in.readLong());
            List<Integer> slots = new ArrayList<>();
            for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
                slots.add(in.readInt());
            }
            rows.put(
                    place,
                    new MinuteSums(
                            SlotCounts.of(slots), in.readLong(), in.readLong(), in.readLong()));
        }
        return new HourTally(framed, rows, revision, lastRowMs, dueMs);
    }
}
