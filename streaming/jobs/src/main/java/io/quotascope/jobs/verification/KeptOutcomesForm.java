package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.PredictionScore.Realised;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Bytes of {@link KeptOutcomes} in state. */
public final class KeptOutcomesForm implements ByteForm<KeptOutcomes> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<KeptOutcomes> type() {
        return KeptOutcomes.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(KeptOutcomes value, DataOutput out) throws IOException {
        out.writeInt(value.byRecommendation().size());
        for (Map.Entry<String, Realised> entry : value.entries()) {
            out.writeUTF(entry.getKey());
            out.writeDouble(entry.getValue().low());
            out.writeDouble(entry.getValue().predicted());
            out.writeDouble(entry.getValue().high());
            out.writeDouble(entry.getValue().realised());
        }
    }

    @Override
    public KeptOutcomes read(DataInput in, int version) throws IOException {
        TreeMap<String, Realised> outcomes = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            outcomes.put(
                    in.readUTF(),
                    new Realised(
                            in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble()));
        }
        return new KeptOutcomes(outcomes);
    }
}
