package io.quotascope.fleetsim.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.minute.RawMinutes.HostSend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Minutes are made before they are asked for, each once, and copies are sent by one lane each. */
final class MinutesAheadTest {
    private static final long MINUTE_US = WindowPart.MINUTE_US;
    private final List<Long> made = Collections.synchronizedList(new ArrayList<>());

    private List<List<HostSend>> minute(long minuteUs) {
        made.add(minuteUs);
        // As many windows as the minute's number says which one it is.
        return Collections.nCopies((int) (minuteUs / MINUTE_US), List.of());
    }

    @Test
    void eachMinuteIsItsOwnAndMadeOnce() throws InterruptedException {
        try (MinutesAhead minutes = new MinutesAhead(this::minute, MINUTE_US)) {
            minutes.await();
            for (int number = 1; number < 5; number++) {
                assertThat(minutes.of(number * MINUTE_US)).hasSize(number);
                assertThat(minutes.of(number * MINUTE_US)).hasSize(number);
            }
        }
        assertThat(made).startsWith(MINUTE_US, 2 * MINUTE_US, 3 * MINUTE_US, 4 * MINUTE_US);
        assertThat(made).doesNotHaveDuplicates();
    }

    @Test
    void aMinuteThatWasNotForeseenIsMadeWhenAsked() throws InterruptedException {
        try (MinutesAhead minutes = new MinutesAhead(this::minute, MINUTE_US)) {
            assertThat(minutes.of(7 * MINUTE_US)).hasSize(7);
            assertThat(minutes.of(8 * MINUTE_US)).hasSize(8);
        }
    }

    @Test
    void whatBreaksTheMakingIsToldToWhoAsks() {
        try (MinutesAhead minutes =
                new MinutesAhead(
                        minuteUs -> {
                            throw new IllegalStateException("no template");
                        },
                        MINUTE_US)) {
            assertThatThrownBy(() -> minutes.of(MINUTE_US)).hasMessage("no template");
        }
    }

    @Test
    void everyCopyOfTheFleetHasOneLane() {
        for (int lanes = 1; lanes < 5; lanes++) {
            int of = lanes;
            for (int copy = 0; copy < 20; copy++) {
                int asked = copy;
                assertThat(IntStream.range(0, of))
                        .filteredOn(number -> new Lanes.Lane(number, of, null, null).takes(asked))
                        .hasSize(1);
            }
        }
    }
}
