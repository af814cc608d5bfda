package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalDouble;

/** Bytes of an {@link HourReading}; numbers as varints, because an hour is kept for weeks. */
final class HourReadingForm {
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7F;
    private static final int MORE_FOLLOW = 0x80;

    private HourReadingForm() {}

    /** With its key. */
    static void write(HourReading reading, DataOutput out) throws IOException {
        out.writeByte(reading.key().origin().ordinal());
        out.writeUTF(reading.key().cluster());
        out.writeUTF(reading.key().service());
        out.writeUTF(reading.key().quotaClass());
        out.writeUTF(reading.team());
        writeNumbers(reading, out);
    }

    /** What {@link #write} wrote. */
    static HourReading read(DataInput in) throws IOException {
        ServiceKey key =
                new ServiceKey(
                        Origin.values()[in.readByte()], in.readUTF(), in.readUTF(), in.readUTF());
        return readNumbers(key, in.readUTF(), in);
    }

    /** Without key and team. */
    static void writeNumbers(HourReading reading, DataOutput out) throws IOException {
        writeVarint(reading.hourStartUs(), out);
        writeVarint(reading.part(), out);
        writeVarint(reading.version(), out);
        writeVarint(reading.periods(), out);
        writeVarint(reading.throttledPeriods(), out);
        out.writeDouble(reading.usedCores());
        out.writeDouble(reading.reservedCores().orElse(Double.NaN));
        writeVarint(reading.records(), out);
        writeVarint(reading.expectedRecords(), out);
        writeVarint(reading.catalogVersion(), out);
    }

    static HourReading readNumbers(ServiceKey key, String team, DataInput in) throws IOException {
        long hourStartUs = readVarint(in);
        long part = readVarint(in);
        long version = readVarint(in);
        long periods = readVarint(in);
        long throttledPeriods = readVarint(in);
        double usedCores = in.readDouble();
        double reserved = in.readDouble();
        return new HourReading(
                key,
                hourStartUs,
                part,
                version,
                periods,
                throttledPeriods,
                usedCores,
                Double.isNaN(reserved) ? OptionalDouble.empty() : OptionalDouble.of(reserved),
                readVarint(in),
                readVarint(in),
                team,
                readVarint(in));
    }

    private static void writeVarint(long value, DataOutput out) throws IOException {
        long rest = value;
        while ((rest & ~(long) GROUP) != 0) {
            out.writeByte((int) (rest & GROUP) | MORE_FOLLOW);
            rest >>>= GROUP_BITS;
        }
        out.writeByte((int) rest);
    }

    private static long readVarint(DataInput in) throws IOException {
        long value = 0;
        for (int shift = 0; ; shift += GROUP_BITS) {
            int group = in.readByte();
            value |= (long) (group & GROUP) << shift;
            if ((group & MORE_FOLLOW) == 0) {
                return value;
            }
        }
    }
}
