package io.quotascope.jobs.alerts;

import io.quotascope.jobs.io.parts.RowsToCome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * How far the rows of all services had come, and when. The clock of their topic does not say it: it
 * goes on while the rollup stands or lies behind.
 *
 * <p>State: the append time of the first row of every ten minutes of closing, of four days: 576
 * pairs of numbers, 9 KiB.
 */
final class RowsTold {
    /** Rows are told of in these steps of their closing, milliseconds. */
    static final long STEP_MS = 600_000;

    /** Rows that closed together are all there this long after the first of them. */
    static final long SETTLED_MS = 600_000;

    private static final long KEPT_STEPS = 2 * RowsToCome.BEHIND_MS_MAX / STEP_MS;

    private RowsTold() {}

    /** Step of closing, and the append time of the first row of it or of a later one. */
    static MapStateDescriptor<Long, Long> descriptor() {
        return new MapStateDescriptor<>("rows-told", Types.LONG, Types.LONG);
    }

    static long stepOf(long closesAtMs) {
        return Math.floorDiv(closesAtMs, STEP_MS);
    }

    /** A row of a step was appended at a time. */
    static void tell(BroadcastState<Long, Long> told, long step, long appendMs) throws Exception {
        Long before = told.get(step);
        if (before != null && before <= appendMs) {
            return;
        }
        told.put(step, appendMs);
        List<Long> over = new ArrayList<>();
        for (Map.Entry<Long, Long> entry : told.immutableEntries()) {
            if (entry.getKey() < step - KEPT_STEPS) {
                over.add(entry.getKey());
            }
        }
        for (Long old : over) {
            told.remove(old);
        }
    }

    /** Whether all rows that closed by a time were there at an instant of the topic's clock. */
    static boolean wereThere(ReadOnlyBroadcastState<Long, Long> told, long closedMs, long nowMs)
            throws Exception {
        for (Map.Entry<Long, Long> entry : told.immutableEntries()) {
            if (entry.getKey() * STEP_MS >= closedMs && entry.getValue() + SETTLED_MS <= nowMs) {
                return true;
            }
        }
        return false;
    }
}
