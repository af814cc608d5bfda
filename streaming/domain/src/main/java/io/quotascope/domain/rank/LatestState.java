package io.quotascope.domain.rank;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.hour.Horizons;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.window.WindowPart;

/**
 * The newest state of one service and class: everything that a page about the whole fleet shows of
 * it.
 *
 * @param rank the verdict and its scope
 * @param throttling the minute
 * @param threads threads in the minute
 * @param horizons an hour, a day and the peaks of two weeks
 */
public record LatestState(
        TuningRank rank, ThrottlingSummary throttling, ThreadRatio threads, Horizons horizons) {
    private static final int MINUTE_SHIFT = 33;
    private static final int LATENESS_SHIFT = 28;
    private static final long LATENESS_MAX = (1L << (MINUTE_SHIFT - LATENESS_SHIFT)) - 1;
    private static final long REVISION_MASK = (1L << LATENESS_SHIFT) - 1;
    private static final int ROW_REVISION_SHIFT = 32;

    /**
     * Version of the row, of which the greatest is the newest: minute number x 2^33 + quarters of
     * an hour that the part came late x 2^28 + revision.
     */
    public long version() {
        JudgementScope scope = rank.scope();
        long minute = scope.windowStartUs() / WindowPart.MINUTE_US;
        long revision = scope.version() >>> ROW_REVISION_SHIFT;
        return (minute << MINUTE_SHIFT)
                + (lateness(scope) << LATENESS_SHIFT)
                + (revision & REVISION_MASK);
    }

    /**
     * 0 for what came in time, else quarters of an hour since the one in which the minute ended.
     */
    private static long lateness(JudgementScope scope) {
        if (scope.part() == 0) {
            return 0;
        }
        long endMs = (scope.windowStartUs() + WindowPart.MINUTE_US) / 1000;
        long quarters = scope.part() - Math.floorDiv(endMs, WindowPart.LATE_PART_MS) + 1;
        return Math.max(1, Math.min(LATENESS_MAX, quarters));
    }
}
