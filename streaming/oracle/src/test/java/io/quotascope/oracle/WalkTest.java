package io.quotascope.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which rows are judged, and how often, whatever the topic repeats. */
final class WalkTest {
    private static final long MINUTE_US = WindowPart.minuteOf(1_790_000_000_000_000L);

    private static ServiceWindow row(int minute, long revision) {
        ServiceKey key = new ServiceKey(Origin.SIMULATED, "lab", "checkout", "none");
        long start = MINUTE_US + minute * WindowPart.MINUTE_US;
        return new ServiceWindow(new ServiceAccumulator(key, start).toServiceSums(), 0, revision);
    }

    /** Minute and revision of every judgement. */
    private static List<String> judged(ServiceWindow... rows) {
        List<String> judged = new ArrayList<>();
        new Walk(
                        Cadence.DEFAULT,
                        10,
                        moment -> {
                            long start = moment.minute().windowStartUs() - MINUTE_US;
                            judged.add(start / WindowPart.MINUTE_US + " at " + moment.revision());
                            return Optional.empty();
                        })
                .over(List.of(rows));
        return judged;
    }

    @Test
    void aRepeatedRowIsJudgedOnce() {
        assertThat(judged(row(1, 1), row(0, 1), row(1, 1))).containsExactly("0 at 1", "1 at 1");
    }

    @Test
    void ofARowThatWasComputedAgainTheGreatestRevisionCounts() {
        assertThat(judged(row(0, 1), row(1, 1), row(0, 2), row(1, 2)))
                .containsExactly("0 at 2", "1 at 2");
        assertThat(judged(row(0, 2), row(0, 1))).containsExactly("0 at 2");
    }
}
