package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.Optional;

/**
 * The parts of one minute that have arrived, merged.
 *
 * @param sums their sums
 * @param lastPart the last of them; parts of a minute close in ascending order
 * @param revision reprocessing revision of all of them
 * @param lastRowMs append time of the last row merged, milliseconds since the Unix epoch
 */
public record MergedParts(ServiceSums sums, long lastPart, long revision, long lastRowMs) {

    /** When the minute that these parts belong to ended, or when its last row came if that was later, milliseconds since the Unix epoch. */
    public long lastMovedMs() {
        return Math.max((sums.windowStartUs() + WindowPart.MINUTE_US) / 1000, lastRowMs);
    }

    /** The first part. */
    public static MergedParts of(ServiceWindow row, long rowMs) {
        return new MergedParts(row.sums(), row.part(), row.revision(), rowMs);
    }

    /**
     * The merge with a further part. Absent if the row is a repetition, which its part or its smaller revision tells. The first row of a greater revision begins anew.
     */
    public Optional<MergedParts> plus(ServiceWindow row, long rowMs) {
        if (row.revision() > revision) {
            return Optional.of(of(row, rowMs));
        }
        if (row.revision() < revision || row.part() <= lastPart) {
            return Optional.empty();
        }
        ServiceAccumulator merged = ServiceAccumulator.of(sums);
        merged.merge(row.sums());
        return Optional.of(new MergedParts(merged.toServiceSums(), row.part(), revision, rowMs));
    }
}
