package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.window.ThrottlingSums;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PersistenceTest {
    private static ThrottlingSums row(long periods, long throttled, long runs, int longest) {
        return new ThrottlingSums(6, periods, throttled, 0, 0, 0, 6, runs, longest, 0, 0);
    }

    private static double of(ThrottlingSums... rows) {
        return Persistence.ofThrottling(List.of(rows)).orElseThrow();
    }

    /**
     * By hand: 12 throttled periods in runs of 6, 3 and 3, which is what is known of 6 and two
     * others with 6 together. (36 + 36 / 2 + 1) / (12 + 1) = 55 / 13, and its logarithm is
     * 1.442384.
     */
    @Example
    void aMinuteWorkedOutByHand() {
        assertThat(of(row(600, 12, 3, 6))).isCloseTo(1.442384, within(1e-6));
    }

    @Example
    void calmAndLonePeriodsDoNotLast() {
        assertThat(of(row(600, 0, 0, 0))).isZero();
        assertThat(of(row(600, 40, 40, 1))).isZero();
    }

    /** One run of n periods lasts n. */
    @Property(tries = 50)
    void oneRunLastsItsLength(@ForAll @IntRange(min = 1, max = 600) int length) {
        double one = of(row(600_000, 1_000L * length, 1_000, length));
        assertThat(one).isCloseTo(Math.log((length * length + 1) / (length + 1.0)), within(1e-9));
    }

    /** It is a mean: ten like minutes, or ten like shards in a row, say what one says. */
    @Property(tries = 50)
    void itDoesNotGrowWithTheMinutes(
            @ForAll @IntRange(min = 2, max = 20) int runs,
            @ForAll @IntRange(min = 1, max = 10) int length,
            @ForAll @IntRange(min = 2, max = 10) int minutes) {
        ThrottlingSums minute = row(600, (long) runs * length, runs, length);
        double one = of(minute);
        double many = Persistence.ofThrottling(Collections.nCopies(minutes, minute)).orElseThrow();
        assertThat(many).isCloseTo(one, within(1e-9));
        double shards =
                of(row(600L * minutes, (long) minutes * runs * length, minutes * runs, length));
        assertThat(shards).isCloseTo(one, within(1e-9));
    }

    /** A run that began in the minute before is stated with the length it has reached. */
    @Example
    void aRunIsNoLongerThanWhatWasThrottled() {
        assertThat(of(row(600, 4, 1, 50))).isEqualTo(of(row(600, 4, 1, 4)));
    }

    @Example
    void whereRunsWereNotCountedItIsNotKnown() {
        ThrottlingSums uncounted = new ThrottlingSums(6, 600, 30, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(Persistence.ofThrottling(List.of(uncounted))).isEmpty();
        assertThat(Persistence.ofThrottling(List.of(row(600, 3, 3, 1), uncounted))).isEmpty();
        assertThat(Persistence.ofThrottling(List.of(ThrottlingSums.ZERO))).isEmpty();
    }
}
