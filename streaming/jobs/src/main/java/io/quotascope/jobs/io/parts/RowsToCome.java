package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.WindowPart;
import java.util.OptionalLong;

/**
 * Whether anything can still look back at what is kept of a service and class.
 *
 * <p>The clock of a topic of rows says when they were written, not which ones are still to be
 * written: the rollup may have stood for hours, and then a minute is told hours after the one
 * before it. The rows themselves say it, because those of a service come in the order of their
 * closing: what the last of them leaves behind is over. A service that says nothing more is waited
 * for as long as the rollup can lie behind.
 *
 * <p>Made anew for each look, from what is kept; it is no state.
 */
public final class RowsToCome {
    /**
     * How far the rollup can lie behind the clock, milliseconds: the day for which its topics keep
     * records, and another one, because Kafka deletes them by whole segments.
     */
    public static final long BEHIND_MS_MAX = 2 * 86_400_000L;

    /** Looks at what waits are taken together to this step, milliseconds. */
    private static final long LOOK_STEP_MS = 3_600_000L;

    private long revision = Long.MIN_VALUE;
    private long closedMs = Long.MIN_VALUE;
    private long waitsUntilMs = Long.MIN_VALUE;

    /** When the last row of a minute that a record may still be accepted for closes. */
    public static long lastClosesMs(long windowEndMs) {
        return windowEndMs + WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS;
    }

    /** Every kept row is told before any is asked about. */
    public void told(long ofRevision, long closesAtMs) {
        if (ofRevision > revision) {
            revision = ofRevision;
            closedMs = closesAtMs;
        } else if (ofRevision == revision) {
            closedMs = Math.max(closedMs, closesAtMs);
        }
    }

    /**
     * Whether what is kept is over.
     *
     * @param ofRevision revision of what is kept; one that is being replaced waits for nothing
     * @param lastClosesMs when the last row closes that could need it
     * @param dueMs when it is over unless the rollup lies behind
     * @param nowMs the clock of the topic
     */
    public boolean isOver(long ofRevision, long lastClosesMs, long dueMs, long nowMs) {
        if (dueMs > nowMs) {
            return false;
        }
        if (ofRevision < revision || lastClosesMs <= closedMs || dueMs + BEHIND_MS_MAX <= nowMs) {
            return true;
        }
        waitsUntilMs = Math.max(waitsUntilMs, dueMs + BEHIND_MS_MAX);
        return false;
    }

    /** When to look again at what waits for the rollup alone; absent when nothing does. */
    public OptionalLong nextLookMs() {
        return waitsUntilMs == Long.MIN_VALUE
                ? OptionalLong.empty()
                : OptionalLong.of(-Math.floorDiv(-waitsUntilMs, LOOK_STEP_MS) * LOOK_STEP_MS);
    }
}
