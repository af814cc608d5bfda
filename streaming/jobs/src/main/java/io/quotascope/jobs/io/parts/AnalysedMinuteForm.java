package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.AnalysedCliff.Clients;
import io.quotascope.domain.analysis.AnalysedCliff.WorstShardCliff;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/** Bytes of an {@link AnalysedMinute} in state: 24, and 190 and a name with a cliff. */
public final class AnalysedMinuteForm implements ByteForm<AnalysedMinute> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<AnalysedMinute> type() {
        return AnalysedMinute.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(AnalysedMinute value, DataOutput out) throws IOException {
        out.writeDouble(value.load().usedCores());
        out.writeDouble(value.load().throttledPeriodRatio());
        out.writeLong(value.load().throttledRunPeriodsMax());
        out.writeBoolean(value.cliff().isPresent());
        if (value.cliff().isPresent()) {
            writeCliff(value.cliff().get(), out);
        }
    }

    @Override
    public AnalysedMinute read(DataInput in, int version) throws IOException {
        EarlyWarning.Minute load =
                new EarlyWarning.Minute(in.readDouble(), in.readDouble(), in.readLong());
        return new AnalysedMinute(
                load, in.readBoolean() ? Optional.of(readCliff(in)) : Optional.empty());
    }

    private static void writeCliff(AnalysedCliff cliff, DataOutput out) throws IOException {
        out.writeLong(cliff.analysedAtUs());
        out.writeLong(cliff.evidenceUs());
        out.writeInt(cliff.evidenceWindows());
        writeMultiple(cliff.cliff().hottestShard(), out);
        writeMultiple(cliff.cliff().service(), out);
        out.writeDouble(cliff.cliff().gainFromBalancing());
        writeMultiple(cliff.recovery(), out);
        out.writeDouble(cliff.shardLoadDeviation());
        out.writeLong(cliff.clients().policy().timeoutUs());
        out.writeInt(cliff.clients().policy().retries());
        out.writeBoolean(cliff.clients().assumed());
        out.writeBoolean(cliff.clients().redistribution() == Redistribution.EJECT);
        out.writeBoolean(cliff.worstShard().isPresent());
        if (cliff.worstShard().isPresent()) {
            out.writeUTF(cliff.worstShard().get().shard());
            writeMultiple(cliff.worstShard().get().collapse(), out);
        }
    }

    private static AnalysedCliff readCliff(DataInput in) throws IOException {
        return new AnalysedCliff(
                in.readLong(),
                in.readLong(),
                in.readInt(),
                new ServiceCliff(readMultiple(in), readMultiple(in), in.readDouble()),
                readMultiple(in),
                in.readDouble(),
                new Clients(
                        new ClientPolicy(in.readLong(), in.readInt()),
                        in.readBoolean(),
                        in.readBoolean() ? Redistribution.EJECT : Redistribution.STAY),
                in.readBoolean()
                        ? Optional.of(new WorstShardCliff(in.readUTF(), readMultiple(in)))
                        : Optional.empty());
    }

    private static void writeMultiple(Multiple multiple, DataOutput out) throws IOException {
        out.writeDouble(multiple.value());
        out.writeDouble(multiple.low());
        out.writeDouble(multiple.high());
        out.writeBoolean(multiple.beyond());
    }

    private static Multiple readMultiple(DataInput in) throws IOException {
        return new Multiple(in.readDouble(), in.readDouble(), in.readDouble(), in.readBoolean());
    }
}
