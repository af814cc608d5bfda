package io.quotascope.domain.window;

import java.util.Optional;

/**
 * Which minute a record belongs to and which slot of arrival its row holds: a pure function of the
 * record's window and its append time in the log, so that a replay gives the same rows.
 *
 * <p>Part 0 holds what was appended up to 30 s after the minute's end; later records go to the
 * quarter of an hour of their append time. A part is complete once the log's clock has reached
 * {@link #closesAtMs()}: no record of it can follow.
 *
 * @param minuteStartUs start of the minute, microseconds since the Unix epoch, UTC
 * @param part 0, or floor(append time / 15 min)
 */
public record WindowPart(long minuteStartUs, long part) {
    /** Length of the window of one record, microseconds. */
    public static final long WINDOW_US = 10_000_000;

    /** Length of the window of one row, microseconds. */
    public static final long MINUTE_US = 60_000_000;

    /** Windows of 10 s in a minute. */
    public static final int SLOTS = (int) (MINUTE_US / WINDOW_US);

    /** How long after the minute's end part 0 stays open, milliseconds. */
    public static final long ON_TIME_MS = 30_000;

    /** Length of the later parts, milliseconds. */
    public static final long LATE_PART_MS = 900_000;

    /** How far a window's end may lie ahead of its append time, milliseconds. */
    public static final long AHEAD_MS_MAX = 60_000;

    /**
     * How old a window's end may be when appended, milliseconds: the spool's 6 h and half an hour
     * to drain.
     */
    public static final long AGE_MS_MAX = 23_400_000;

    /** The minute that holds an instant. */
    public static long minuteOf(long windowStartUs) {
        return Math.floorDiv(windowStartUs, MINUTE_US) * MINUTE_US;
    }

    /** Which of the minute's six windows of 10 s an instant lies in, 0 .. 5. */
    public static int slotOf(long windowStartUs) {
        return (int) (Math.floorMod(windowStartUs, MINUTE_US) / WINDOW_US);
    }

    /** Minute and part of a record. */
    public static WindowPart of(long windowStartUs, long appendTimeMs) {
        long minute = minuteOf(windowStartUs);
        long onTimeUntilMs = endMs(minute) + ON_TIME_MS;
        return new WindowPart(
                minute,
                appendTimeMs <= onTimeUntilMs ? 0 : Math.floorDiv(appendTimeMs, LATE_PART_MS));
    }

    /** The last append time, milliseconds since the Unix epoch, that this part can hold. */
    public long closesAtMs() {
        return part == 0 ? endMs(minuteStartUs) + ON_TIME_MS : (part + 1) * LATE_PART_MS - 1;
    }

    /**
     * Why a window of 10 s cannot be accepted at its append time: unaligned, ahead of time or too
     * old.
     */
    public static Optional<Refusal> refusalOf(long windowStartUs, long appendTimeMs) {
        if (Math.floorMod(windowStartUs, WINDOW_US) != 0) {
            return Optional.of(
                    Refusal.of(
                            RefusalReason.UNALIGNED_WINDOW,
                            "window_start_us "
                                    + windowStartUs
                                    + " is not a multiple of "
                                    + WINDOW_US));
        }
        long windowEndMs =
                windowStartUs / 1000
                        + WINDOW_US / 1000; // exact: aligned, and no overflow at any start
        long ageMs = appendTimeMs - windowEndMs;
        if (-ageMs > AHEAD_MS_MAX) {
            return Optional.of(
                    Refusal.of(
                            RefusalReason.AHEAD_OF_TIME,
                            "the window ends "
                                    + -ageMs
                                    + " ms after its append time, at most "
                                    + AHEAD_MS_MAX
                                    + " is allowed"));
        }
        if (ageMs > AGE_MS_MAX) {
            return Optional.of(
                    Refusal.of(
                            RefusalReason.TOO_OLD,
                            "the window ended "
                                    + ageMs
                                    + " ms before its append time, at most "
                                    + AGE_MS_MAX
                                    + " is allowed"));
        }
        return Optional.empty();
    }

    private static long endMs(long minuteStartUs) {
        return minuteStartUs / 1000 + MINUTE_US / 1000; // exact: a minute is a multiple of 1000 us
    }
}
