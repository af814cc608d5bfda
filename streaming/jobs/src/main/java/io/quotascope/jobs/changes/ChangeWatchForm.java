package io.quotascope.jobs.changes;

import io.quotascope.domain.change.ChangeWatch;
import io.quotascope.domain.change.Settled;
import io.quotascope.domain.change.ShardLevel;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bytes of a {@link ChangeWatch} in state. */
public final class ChangeWatchForm implements ByteForm<ChangeWatch> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ChangeWatch> type() {
        return ChangeWatch.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ChangeWatch value, DataOutput out) throws IOException {
        out.writeLong(value.lastMinuteUs());
        write(value.setting(), out);
        write(value.kernel(), out);
        ShardLevel level = value.level();
        out.writeInt(level.reference());
        out.writeInt(level.streak());
        out.writeBoolean(level.upward());
        out.writeLong(level.sinceUs());
        out.writeInt(level.toldUs().size());
        for (long told : level.toldUs()) {
            out.writeLong(told);
        }
    }

    @Override
    public ChangeWatch read(DataInput in, int version) throws IOException {
        long lastMinuteUs = in.readLong();
        Settled setting = readSettled(in);
        Settled kernel = readSettled(in);
        int reference = in.readInt();
        int streak = in.readInt();
        boolean upward = in.readBoolean();
        long sinceUs = in.readLong();
        List<Long> told = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            told.add(in.readLong());
        }
        return new ChangeWatch(
                lastMinuteUs,
                setting,
                kernel,
                new ShardLevel(reference, streak, upward, sinceUs, told));
    }

    private static void write(Settled settled, DataOutput out) throws IOException {
        out.writeUTF(settled.value().orElse(""));
        out.writeUTF(settled.candidate().orElse(""));
        out.writeInt(settled.streak());
        out.writeLong(settled.sinceUs());
    }

    private static Settled readSettled(DataInput in) throws IOException {
        return new Settled(text(in), text(in), in.readInt(), in.readLong());
    }

    /** Settings are never empty texts. */
    private static Optional<String> text(DataInput in) throws IOException {
        return Optional.of(in.readUTF()).filter(text -> !text.isEmpty());
    }
}
