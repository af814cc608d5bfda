package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/** Bytes of a {@link FleetPart} between operators and in state. */
public final class FleetPartForm implements ByteForm<FleetPart> {
    private static final long serialVersionUID = 1L;

    /** Before it only what a service is short of without fixes was known. */
    private static final int WITH_TAKEN = 2;

    /** Before it two estimates of one minute could not be told apart. */
    private static final int WITH_PART = 3;

    @Override
    public Class<FleetPart> type() {
        return FleetPart.class;
    }

    @Override
    public int version() {
        return WITH_PART;
    }

    @Override
    public void write(FleetPart value, DataOutput out) throws IOException {
        out.writeByte(value.key().origin().ordinal());
        out.writeUTF(value.key().cluster());
        out.writeUTF(value.key().service());
        out.writeUTF(value.key().quotaClass());
        out.writeBoolean(value.team().isPresent());
        out.writeUTF(value.team().orElse(""));
        out.writeLong(value.analysedAtUs());
        out.writeLong(value.part());
        write(value.reservedCoresTotal(), out);
        writeEstimate(value.rightSizing(), out);
        writeEstimate(value.taken(), out);
        out.writeBoolean(value.tuning().isPresent());
        if (value.tuning().isPresent()) {
            FleetSavings.Part part = value.tuning().get();
            write(out, part.gain(), part.logDeviation(), part.needCores(), part.floorCores());
            out.writeBoolean(part.kappaMeasured());
            out.writeDouble(part.worth());
        }
        write(value.usdPerCoreYear(), out);
    }

    private static void writeEstimate(Optional<Estimate> value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            write(out, value.get().value(), value.get().low(), value.get().high());
        }
    }

    private static void write(DataOutput out, double... values) throws IOException {
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    private static void write(OptionalDouble value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        out.writeDouble(value.orElse(0));
    }

    @Override
    public FleetPart read(DataInput in, int version) throws IOException {
        Origin origin = Origin.values()[in.readByte()];
        ServiceKey key = new ServiceKey(origin, in.readUTF(), in.readUTF(), in.readUTF());
        boolean owned = in.readBoolean();
        String team = in.readUTF();
        long analysedAtUs = in.readLong();
        long part = version < WITH_PART ? 0 : in.readLong();
        OptionalDouble reserved = optional(in);
        Optional<Estimate> rightSizing = estimate(in);
        return new FleetPart(
                key,
                owned ? Optional.of(team) : Optional.empty(),
                analysedAtUs,
                part,
                reserved,
                rightSizing,
                version < WITH_TAKEN ? FleetPart.taken(rightSizing) : estimate(in),
                in.readBoolean()
                        ? Optional.of(
                                new FleetSavings.Part(
                                        in.readDouble(),
                                        in.readDouble(),
                                        in.readDouble(),
                                        in.readDouble(),
                                        in.readBoolean(),
                                        in.readDouble()))
                        : Optional.empty(),
                optional(in));
    }

    private static Optional<Estimate> estimate(DataInput in) throws IOException {
        return in.readBoolean()
                ? Optional.of(new Estimate(in.readDouble(), in.readDouble(), in.readDouble()))
                : Optional.empty();
    }

    private static OptionalDouble optional(DataInput in) throws IOException {
        boolean there = in.readBoolean();
        double value = in.readDouble();
        return there ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
