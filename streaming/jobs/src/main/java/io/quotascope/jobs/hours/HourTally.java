package io.quotascope.jobs.hours;

import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.hour.MinuteSums;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.wire.Codecs;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of one hour and part that have arrived. Sums are kept in the form of the topic, which is
 * a fifth of the objects.
 *
 * @param framed the sums as a row dated at the hour
 * @param rows what is kept of each row, by minute and part; it also tells repetitions
 * @param revision reprocessing revision of all of them
 * @param lastRowMs append time of the last row merged, milliseconds since the Unix epoch
 * @param dueMs when a row is to be written; {@link #WRITTEN} when the last one holds everything
 */
record HourTally(
        byte[] framed,
        SortedMap<WindowPart, MinuteSums> rows,
        long revision,
        long lastRowMs,
        long dueMs) {
    /** Nothing has come since the last row was written. */
    static final long WRITTEN = Long.MAX_VALUE;

    static HourTally of(ServiceWindow row, long rowMs, long dueMs) {
        return of(HourSums.of(row.sums(), row.part()), row.revision(), rowMs, dueMs);
    }

    private static HourTally of(HourSums sums, long revision, long rowMs, long dueMs) {
        byte[] framed = Codecs.SERVICE_WINDOWS.encode(new ServiceWindow(sums.merged(), 0, 0));
        return new HourTally(framed, sums.rows(), revision, rowMs, dueMs);
    }

    /** Empty when the row is a repetition. The first row of a greater revision begins anew. */
    Optional<HourTally> plus(ServiceWindow row, long rowMs, long dueMs) {
        if (row.revision() > revision) {
            return Optional.of(of(row, rowMs, dueMs));
        }
        WindowPart place = new WindowPart(row.sums().windowStartUs(), row.part());
        if (row.revision() < revision || rows.containsKey(place)) {
            return Optional.empty();
        }
        HourSums sums = sums().plus(HourSums.of(row.sums(), row.part()));
        return Optional.of(of(sums, revision, Math.max(lastRowMs, rowMs), dueMs));
    }

    HourTally written() {
        return new HourTally(framed, rows, revision, lastRowMs, WRITTEN);
    }

    HourSums sums() {
        ServiceSums merged = Codecs.SERVICE_WINDOWS.decode(framed).orElseThrow().sums();
        TreeMap<WindowPart, MinuteSums> kept = new TreeMap<>(HourSums.ROW_ORDER);
        kept.putAll(rows);
        return new HourSums(merged, kept);
    }
}
