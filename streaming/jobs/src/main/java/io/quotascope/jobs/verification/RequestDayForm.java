package io.quotascope.jobs.verification;

import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Bytes of a {@link RequestDay} in state. */
public final class RequestDayForm implements ByteForm<RequestDay> {
    private static final long serialVersionUID = 1L;

    private static final int MIXED = -1;

    @Override
    public Class<RequestDay> type() {
        return RequestDay.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(RequestDay value, DataOutput out) throws IOException {
        out.writeLong(value.dayUs());
        out.writeInt(value.hours().size());
        for (Map.Entry<Long, HourLoad> hour : value.hours().entrySet()) {
            out.writeLong(hour.getKey());
            out.writeLong(hour.getValue().version());
            out.writeLong(hour.getValue().minutes());
            out.writeLong(hour.getValue().requests());
            Optional<LatencyCounts> latency = hour.getValue().latency();
            out.writeInt(latency.map(known -> known.boundsUs().size()).orElse(MIXED));
            if (latency.isPresent()) {
                write(latency.get().boundsUs(), out);
                write(latency.get().requests(), out);
            }
        }
    }

    private static void write(List<Long> values, DataOutput out) throws IOException {
        for (long value : values) {
            out.writeLong(value);
        }
    }

    @Override
    public RequestDay read(DataInput in, int version) throws IOException {
        long dayUs = in.readLong();
        TreeMap<Long, HourLoad> hours = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            hours.put(
                    in.readLong(),
                    new HourLoad(in.readLong(), in.readLong(), in.readLong(), latency(in)));
        }
        return new RequestDay(dayUs, hours);
    }

    private static Optional<LatencyCounts> latency(DataInput in) throws IOException {
        int bounds = in.readInt();
        if (bounds == MIXED) {
            return Optional.empty();
        }
        int counts = bounds == 0 ? 0 : bounds + 1;
        return Optional.of(new LatencyCounts(longs(bounds, in), longs(counts, in)));
    }

    private static List<Long> longs(int count, DataInput in) throws IOException {
        List<Long> values = new ArrayList<>();
        for (int left = count; left > 0; left--) {
            values.add(in.readLong());
        }
        return values;
    }
}
