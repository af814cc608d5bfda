package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.HourHistory;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The hours of one service, packed: as objects they would be five times as large.
 *
 * @param packed hours
 * @param newestUs start of the newest hour, microseconds since the Unix epoch
 * @param lastRowMs append time of the last row, milliseconds since the Unix epoch
 */
record KeptHistory(byte[] packed, long newestUs, long lastRowMs) {

    static KeptHistory of(HourHistory history, long lastRowMs) {
        Collection<HourReading> readings = history.readings();
        HourReading newest = history.newest();
        List<String> classes =
                readings.stream().map(each -> each.key().quotaClass()).distinct().toList();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(readings.size() * 48 + 128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(newest.key().origin().ordinal());
            out.writeUTF(newest.key().cluster());
            out.writeUTF(newest.key().service());
            out.writeUTF(newest.team());
            out.writeShort(classes.size());
            for (String quotaClass : classes) {
                out.writeUTF(quotaClass);
            }
            out.writeInt(readings.size());
            for (HourReading reading : readings) {
                out.writeShort(classes.indexOf(reading.key().quotaClass()));
                HourReadingForm.writeNumbers(reading, out);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory cannot be written", impossible);
        }
        return new KeptHistory(bytes.toByteArray(), newest.hourStartUs(), lastRowMs);
    }

    /** The hours, each with the team that the newest one names. */
    HourHistory history(long keptHours) {
        HourHistory history = new HourHistory();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(packed))) {
            Origin origin = Origin.values()[in.readByte()];
            String cluster = in.readUTF();
            String service = in.readUTF();
            String team = in.readUTF();
            List<ServiceKey> keys = new ArrayList<>();
            for (int left = in.readShort(); left > 0; left--) {
                keys.add(new ServiceKey(origin, cluster, service, in.readUTF()));
            }
            for (int left = in.readInt(); left > 0; left--) {
                ServiceKey key = keys.get(in.readShort());
                history.add(HourReadingForm.readNumbers(key, team, in), keptHours);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("hours in state end early", broken);
        }
        return history;
    }
}
