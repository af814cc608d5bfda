package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Minutes of a service and class that nothing can look back at any more.
 *
 * @param starts their starts, microseconds since the Unix epoch
 * @param nextLookMs when to look again at others that wait for the rollup alone, milliseconds of
 *     the topic's clock
 */
record MinutesOver(List<Long> starts, OptionalLong nextLookMs) {
    /** A minute on the way, which {@link JudgingFunction#KEPT_MS} holds. */
    private static final long ON_THE_WAY_MS = 60_000;

    /**
     * Looks at all minutes.
     *
     * @param keptMs how long after its last row a minute is kept at least, milliseconds
     * @param nowMs the clock of the topic
     */
    static MinutesOver of(Iterable<Map.Entry<Long, MergedParts>> minutes, long keptMs, long nowMs) {
        RowsToCome rows = new RowsToCome();
        for (Map.Entry<Long, MergedParts> minute : minutes) {
            MergedParts parts = minute.getValue();
            rows.told(
                    parts.revision(),
                    new WindowPart(parts.windowStartUs(), parts.lastPart()).closesAtMs());
        }
        List<Long> starts = new ArrayList<>();
        for (Map.Entry<Long, MergedParts> minute : minutes) {
            MergedParts parts = minute.getValue();
            long endMs = (parts.windowStartUs() + WindowPart.MINUTE_US) / 1000;
            long dueMs = parts.lastMovedMs() + keptMs;
            if (rows.isOver(parts.revision(), endMs + keptMs - ON_THE_WAY_MS, dueMs, nowMs)) {
                starts.add(minute.getKey());
            }
        }
        return new MinutesOver(starts, rows.nextLookMs());
    }
}
