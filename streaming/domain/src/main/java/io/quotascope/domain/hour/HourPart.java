package io.quotascope.domain.hour;

import io.quotascope.domain.window.WindowPart;

/**
 * Which hour a row of a minute belongs to and which slot of arrival the hour's row holds. It
 * follows from the minute and its part alone, so that hours are as much a function of the log as
 * minutes are.
 *
 * <p>Part 0 holds the rows that had closed 30 s after the hour's end, late parts of its first
 * minutes among them; rows that close later keep their own part.
 *
 * @param hourStartUs start of the hour, microseconds since the Unix epoch, UTC
 * @param part 0, or the part of the minutes' rows
 */
public record HourPart(long hourStartUs, long part) implements Comparable<HourPart> {
    /** Length of an hour, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    /** The hour that holds an instant. */
    public static long hourOf(long instantUs) {
        return Math.floorDiv(instantUs, HOUR_US) * HOUR_US;
    }

    /** Hour and part of a row of a minute. */
    public static HourPart of(WindowPart row) {
        HourPart onTime = new HourPart(hourOf(row.minuteStartUs()), 0);
        return row.closesAtMs() <= onTime.closesAtMs()
                ? onTime
                : new HourPart(onTime.hourStartUs, row.part());
    }

    /** End of the hour, milliseconds since the Unix epoch. */
    public long endMs() {
        return (hourStartUs + HOUR_US) / 1000;
    }

    /** When the last row of it closes, milliseconds since the Unix epoch, by the log of records. */
    public long closesAtMs() {
        return part == 0
                ? endMs() + WindowPart.ON_TIME_MS
                : new WindowPart(hourStartUs, part).closesAtMs();
    }

    /** By hour, then by part. */
    @Override
    public int compareTo(HourPart other) {
        int hours = Long.compare(hourStartUs, other.hourStartUs);
        return hours != 0 ? hours : Long.compare(part, other.part);
    }
}
