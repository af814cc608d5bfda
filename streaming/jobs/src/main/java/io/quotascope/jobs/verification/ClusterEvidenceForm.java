package io.quotascope.jobs.verification;

import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.Codecs;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link ClusterEvidence} between operators. */
public final class ClusterEvidenceForm implements ByteForm<ClusterEvidence> {
    private static final long serialVersionUID = 1L;

    private static final int HOUR = 0;
    private static final int CHANGE = 1;
    private static final int ENTRY = 2;
    private static final int LOAD = 3;

    @Override
    public Class<ClusterEvidence> type() {
        return ClusterEvidence.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ClusterEvidence value, DataOutput out) throws IOException {
        if (value instanceof ClusterEvidence.Hour hour) {
            out.writeByte(HOUR);
            HourReadingForm.write(hour.reading(), out);
        } else if (value instanceof ClusterEvidence.Change change) {
            out.writeByte(CHANGE);
            FramedBytes.write(Codecs.CHANGE_EVENTS.encode(change.event()), out);
        } else if (value instanceof ClusterEvidence.Entry entry) {
            out.writeByte(ENTRY);
            FramedBytes.write(Codecs.RECOMMENDATIONS.encode(entry.recommendation()), out);
        } else if (value instanceof ClusterEvidence.Load load) {
            out.writeByte(LOAD);
            FramedBytes.write(Codecs.SERVICE_LOADS.encode(load.load()), out);
        }
    }

    @Override
    public ClusterEvidence read(DataInput in, int version) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case HOUR -> new ClusterEvidence.Hour(HourReadingForm.read(in));
            case CHANGE ->
                    new ClusterEvidence.Change(
                            Codecs.CHANGE_EVENTS.decode(FramedBytes.read(in)).orElseThrow());
            case ENTRY ->
                    new ClusterEvidence.Entry(
                            Codecs.RECOMMENDATIONS.decode(FramedBytes.read(in)).orElseThrow());
            case LOAD ->
                    new ClusterEvidence.Load(
                            Codecs.SERVICE_LOADS.decode(FramedBytes.read(in)).orElseThrow());
            default -> throw new IOException("no kind of evidence: " + kind);
        };
    }
}
