package io.quotascope.domain.hosts;

import io.quotascope.domain.kernel.ShardHour;
import io.quotascope.domain.window.WindowPart;
import java.util.Optional;

/**
 * Which look at an hour a record is first part of, as a pure function of its window and its append
 * time. An hour is looked at every ten minutes while it passes, 30 s after each mark, so that
 * nobody waits an hour for its row; what comes after its end is added by quarters of an hour like
 * parts of minutes.
 *
 * @param hourStartUs start of the hour, microseconds since the Unix epoch, UTC
 * @param closesAtMs when the log's clock has passed this, the look holds all that it can hold
 */
public record HourSlice(long hourStartUs, long closesAtMs) implements Comparable<HourSlice> {
    /** Marks in an hour. */
    public static final int MARKS = 6;

    private static final long MARK_MS = ShardHour.HOUR_US / 1000 / MARKS;

    /** The look of a window of 10 s that was appended at an instant. */
    public static HourSlice of(long windowStartUs, long appendTimeMs) {
        long hour = Math.floorDiv(windowStartUs, ShardHour.HOUR_US) * ShardHour.HOUR_US;
        for (int mark = 1; mark <= MARKS; mark++) {
            long closesAtMs = markMs(hour, mark);
            if (appendTimeMs <= closesAtMs) {
                return new HourSlice(hour, closesAtMs);
            }
        }
        long quarter = Math.floorDiv(appendTimeMs, WindowPart.LATE_PART_MS);
        return new HourSlice(hour, (quarter + 1) * WindowPart.LATE_PART_MS - 1);
    }

    /** The look that closes at an instant, when that is a mark of an hour. */
    public static Optional<HourSlice> atMark(long closesAtMs) {
        long sinceMs = closesAtMs - WindowPart.ON_TIME_MS;
        if (Math.floorMod(sinceMs, MARK_MS) != 0) {
            return Optional.empty();
        }
        long hourMs = ShardHour.HOUR_US / 1000;
        return Optional.of(
                new HourSlice(Math.floorDiv(sinceMs - 1, hourMs) * ShardHour.HOUR_US, closesAtMs));
    }

    /** The next mark after an instant, milliseconds since the Unix epoch. */
    public static long nextMarkMs(long afterMs) {
        long marks = Math.floorDiv(afterMs - WindowPart.ON_TIME_MS, MARK_MS);
        return (marks + 1) * MARK_MS + WindowPart.ON_TIME_MS;
    }

    private static long markMs(long hourStartUs, int mark) {
        return hourStartUs / 1000 + mark * MARK_MS + WindowPart.ON_TIME_MS;
    }

    /** 0 while the hour passes and 30 s longer, then the quarter of an hour of the append time. */
    public long part() {
        return closesAtMs <= markMs(hourStartUs, MARKS)
                ? 0
                : Math.floorDiv(closesAtMs, WindowPart.LATE_PART_MS);
    }

    /** Which mark of the hour the look is at, 1 .. 6. */
    public int mark() {
        for (int mark = 1; mark < MARKS; mark++) {
            if (closesAtMs <= markMs(hourStartUs, mark)) {
                return mark;
            }
        }
        return MARKS;
    }

    /** Host windows that have passed of the hour at the mark. */
    public long hostRecords() {
        return mark() * (MARK_MS * 1000 / WindowPart.WINDOW_US);
    }

    @Override
    public int compareTo(HourSlice other) {
        int byHour = Long.compare(hourStartUs, other.hourStartUs);
        return byHour != 0 ? byHour : Long.compare(closesAtMs, other.closesAtMs);
    }
}
