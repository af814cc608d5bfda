package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.wire.Codecs;
import java.util.Optional;

/**
 * The parts of one minute that have arrived, merged. They are kept in the form of their topic,
 * which is a fifth of the objects: a minute waits hours for a part that mostly never comes.
 *
 * @param framed the merge as a row whose part is the last one
 * @param windowStartUs start of the minute, microseconds since the Unix epoch
 * @param lastPart the last part; parts of a minute close in ascending order
 * @param revision reprocessing revision of all of them
 * @param lastRowMs append time of the last row merged, milliseconds since the Unix epoch
 */
public record MergedParts(
        byte[] framed, long windowStartUs, long lastPart, long revision, long lastRowMs) {

    /** The first part. */
    public static MergedParts of(ServiceWindow row, long rowMs) {
        return new MergedParts(
                Codecs.SERVICE_WINDOWS.encode(row),
                row.sums().windowStartUs(),
                row.part(),
                row.revision(),
                rowMs);
    }

    /** The sums of all parts. */
    public ServiceSums sums() {
        return Codecs.SERVICE_WINDOWS.decode(framed).orElseThrow().sums();
    }

    /**
     * When the minute that these parts belong to ended, or when its last row came if that was
     * later, milliseconds since the Unix epoch.
     */
    public long lastMovedMs() {
        return Math.max((windowStartUs + WindowPart.MINUTE_US) / 1000, lastRowMs);
    }

    /**
     * The merge with a further part. Absent if the row is a repetition, which its part or its
     * smaller revision tells. The first row of a greater revision begins anew.
     */
    public Optional<MergedParts> plus(ServiceWindow row, long rowMs) {
        if (row.revision() > revision) {
            return Optional.of(of(row, rowMs));
        }
        if (row.revision() < revision || row.part() <= lastPart) {
            return Optional.empty();
        }
        ServiceAccumulator merged = ServiceAccumulator.of(sums());
        merged.merge(row.sums());
        return Optional.of(
                of(new ServiceWindow(merged.toServiceSums(), row.part(), revision), rowMs));
    }
}
