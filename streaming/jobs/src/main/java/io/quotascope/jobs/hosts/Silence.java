package io.quotascope.jobs.hosts;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Ages of the last window at which something happens.
 *
 * @param stagesMs ages at which a host's silence is judged, ascending, milliseconds
 * @param forgottenMs age at which the host is taken for gone, milliseconds
 */
record Silence(List<Long> stagesMs, long forgottenMs) implements Serializable {
    Silence {
        stagesMs = List.copyOf(stagesMs);
    }

    /** Instants of the stages that lie in (after, until], ascending. */
    List<Long> dueBetween(long lastAppendMs, long afterMs, long untilMs) {
        List<Long> due = new ArrayList<>();
        for (long stage : stagesMs) {
            long at = lastAppendMs + stage;
            if (at > afterMs && at <= untilMs) {
                due.add(at);
            }
        }
        return due;
    }

    /** The next instant after one at which something may be due. */
    OptionalLong nextAfter(long lastAppendMs, long afterMs) {
        return java.util.stream.LongStream.concat(
                        stagesMs.stream().mapToLong(Long::longValue),
                        java.util.stream.LongStream.of(forgottenMs))
                .map(stage -> lastAppendMs + stage)
                .filter(at -> at > afterMs)
                .min();
    }
}
