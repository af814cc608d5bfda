package io.quotascope.jobs.alerts;

import io.quotascope.domain.alert.AlertContext;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.window.Origin;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Bytes of {@link ServiceReadings} between operators and in state. */
public final class ServiceReadingsForm implements ByteForm<ServiceReadings> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServiceReadings> type() {
        return ServiceReadings.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ServiceReadings value, DataOutput out) throws IOException {
        AlertSubject subject = value.subject();
        out.writeUTF(subject.origin().name());
        out.writeUTF(subject.cluster());
        write(subject.service(), out);
        write(subject.quotaClass(), out);
        write(subject.hostId(), out);
        AlertContext context = value.context();
        out.writeLong(context.version());
        out.writeLong(context.catalogVersion());
        write(context.team(), out);
        out.writeInt(context.shards().orElse(-1));
        write(context.completeness(), out);
        write(context.quotaCores(), out);
        write(context.reservedCores(), out);
        out.writeLong(value.minuteUs());
        out.writeInt(value.readings().size());
        for (AlertReading reading : value.readings()) {
            out.writeUTF(reading.kind().name());
            write(reading.value(), out);
            out.writeInt(reading.reasons().size());
            for (String reason : reading.reasons()) {
                out.writeUTF(reason);
            }
        }
    }

    @Override
    public ServiceReadings read(DataInput in, int version) throws IOException {
        AlertSubject subject =
                new AlertSubject(
                        Origin.valueOf(in.readUTF()),
                        in.readUTF(),
                        readText(in),
                        readText(in),
                        readText(in));
        long rowVersion = in.readLong();
        long catalogVersion = in.readLong();
        Optional<String> team = readText(in);
        int shards = in.readInt();
        AlertContext context =
                new AlertContext(
                        rowVersion,
                        catalogVersion,
                        team,
                        shards < 0 ? OptionalInt.empty() : OptionalInt.of(shards),
                        readNumber(in),
                        readNumber(in),
                        readNumber(in));
        long minuteUs = in.readLong();
        List<AlertReading> readings = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            AlertKind kind = AlertKind.valueOf(in.readUTF());
            OptionalDouble value = readNumber(in);
            List<String> reasons = new ArrayList<>();
            for (int more = in.readInt(); more > 0; more--) {
                reasons.add(in.readUTF());
            }
            readings.add(new AlertReading(kind, value, reasons));
        }
        return new ServiceReadings(subject, context, minuteUs, readings);
    }

    private static void write(Optional<String> text, DataOutput out) throws IOException {
        out.writeBoolean(text.isPresent());
        out.writeUTF(text.orElse(""));
    }

    private static Optional<String> readText(DataInput in) throws IOException {
        boolean present = in.readBoolean();
        String text = in.readUTF();
        return present ? Optional.of(text) : Optional.empty();
    }

    private static void write(OptionalDouble number, DataOutput out) throws IOException {
        out.writeBoolean(number.isPresent());
        out.writeDouble(number.orElse(0));
    }

    private static OptionalDouble readNumber(DataInput in) throws IOException {
        boolean present = in.readBoolean();
        double number = in.readDouble();
        return present ? OptionalDouble.of(number) : OptionalDouble.empty();
    }
}
