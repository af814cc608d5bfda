package io.quotascope.jobs.costs;

import io.quotascope.domain.load.CostEvidence;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of {@link CostEvidence} in state. */
public final class CostEvidenceForm implements ByteForm<CostEvidence> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<CostEvidence> type() {
        return CostEvidence.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(CostEvidence value, DataOutput out) throws IOException {
        out.writeLong(value.minutes());
        out.writeByte(value.sums().length);
        for (int at = 0; at < value.sums().length; at++) {
            out.writeLong(value.sums()[at]);
            out.writeLong(value.squares()[at]);
        }
    }

    @Override
    public CostEvidence read(DataInput in, int version) throws IOException {
        long minutes = in.readLong();
        long[] sums = new long[in.readByte()];
        long[] squares = new long[sums.length];
        for (int at = 0; at < sums.length; at++) {
            sums[at] = in.readLong();
            squares[at] = in.readLong();
        }
        return new CostEvidence(minutes, sums, squares);
    }
}
