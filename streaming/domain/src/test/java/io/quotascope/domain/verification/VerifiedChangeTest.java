package io.quotascope.domain.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.verification.VerifiedChange.Outcome;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import net.jqwik.api.Example;

class VerifiedChangeTest {
    private static final long HOUR = ServiceHour.HOUR_US;
    private static final long START = 1_767_225_600_000_000L;
    private static final VerificationPolicy POLICY =
            new VerificationPolicy(1, 48, 48, 24, 99, 0.005, 0.02);

    private static final ChangeEvent CHANGE =
            ChangeEvent.declared(
                    Origin.MEASURED,
                    "c",
                    "s",
                    START + 48 * HOUR,
                    ChangeEvent.Kind.QUOTA,
                    Optional.empty(),
                    ChangeEvent.Wording.NONE);

    private static HourReading reading(
            String quotaClass, int hour, long part, long version, double ratio, double reserved) {
        return new HourReading(
                new ServiceKey(Origin.MEASURED, "c", "s", quotaClass),
                START + hour * HOUR,
                part,
                version,
                1_000,
                Math.round(1_000 * ratio),
                4,
                reserved > 0 ? OptionalDouble.of(reserved) : OptionalDouble.empty(),
                90,
                100,
                "",
                0);
    }

    /** A service that changes its class with the change, as every change of a quota does. */
    private static HourHistory history(double after, double reservedAfter) {
        HourHistory history = new HourHistory();
        for (int hour = 0; hour < 98; hour++) {
            boolean before = hour < 48;
            history.add(
                    reading(
                            before ? "2000m/100ms" : "3000m/100ms",
                            hour,
                            0,
                            1,
                            before ? 0.3 : after,
                            before ? 10 : reservedAfter),
                    200);
        }
        return history;
    }

    private static VerifiedChange judge(HourHistory history) {
        SortedMap<Long, ServiceHour> hours = history.until(Long.MAX_VALUE);
        return VerifiedChange.judge(CHANGE, 48, hours, List.of(), POLICY);
    }

    @Example
    void whatFellIsVerifiedAndTheReservationIsCounted() {
        VerifiedChange judged = judge(history(0.1, 7));
        assertThat(judged.outcome()).isEqualTo(Outcome.VERIFIED);
        assertThat(judged.settled()).isTrue();
        assertThat(judged.windowStartUs()).isEqualTo(START + 96 * HOUR);
        assertThat(judged.realised().orElseThrow().cores()).isCloseTo(3, within(1e-9));
        assertThat(judged.reasons().get(0))
                .startsWith("throttled_period_ratio fallen by -20.0 points");
        assertThat(judged.reasons())
                .contains("3.0 reserved cores given back (3.0 to 3.0)")
                .contains("no unaffected service to compare with: shared drift counts as effect");
    }

    /** Two days before and two after: no hour has its counterpart a week back. */
    @Example
    void hoursOfAnotherDayOfTheWeekAreNamed() {
        assertThat(judge(history(0.1, 7)).reasons())
                .contains(
                        "47 of 47 matched hours are of another day of the week than before:"
                                + " a weekend may look like an effect");
        HourHistory weeks = new HourHistory();
        for (int hour = -8 * 24; hour < 98; hour++) {
            weeks.add(reading("2000m/100ms", hour, 0, 1, hour < 48 ? 0.3 : 0.1, 10), 400);
        }
        VerificationPolicy aWeekBack = new VerificationPolicy(1, 48, 200, 24, 99, 0.005, 0.02);
        SortedMap<Long, ServiceHour> hours = weeks.until(Long.MAX_VALUE);
        assertThat(VerifiedChange.judge(CHANGE, 48, hours, List.of(), aWeekBack).reasons())
                .noneMatch(reason -> reason.contains("day of the week"));
    }

    @Example
    void whatRoseHasRegressedEvenIfCoresWereGivenBack() {
        assertThat(judge(history(0.5, 7)).outcome()).isEqualTo(Outcome.REGRESSED);
    }

    @Example
    void tooFewHoursAreNoAnswer() {
        HourHistory history = new HourHistory();
        for (int hour = 40; hour < 60; hour++) {
            history.add(reading("2000m/100ms", hour, 0, 1, 0.1, 10), 200);
        }
        VerifiedChange judged = judge(history);
        assertThat(judged.outcome()).isEqualTo(Outcome.TOO_LITTLE_EVIDENCE);
        assertThat(judged.realised()).isEmpty();
        assertThat(judged.reasons().get(0)).startsWith("too few matched hours");
    }

    @Example
    void ofAnHourTheRowThatKnowsMostStaysWhateverComesFirst() {
        HourReading first = reading("a", 0, 0, 5, 0.1, 1);
        HourReading fuller = reading("a", 0, 0, 6, 0.2, 1);
        HourReading late = reading("a", 0, 1_963_600, 4, 0.3, 1);
        for (List<HourReading> order :
                List.of(List.of(first, fuller, late), List.of(late, fuller, first))) {
            HourHistory history = new HourHistory();
            order.forEach(each -> history.add(each, 10));
            assertThat(history.readings()).containsExactly(late);
        }
    }

    @Example
    void classesOfAnHourAreAddedAndOldHoursGo() {
        HourHistory history = new HourHistory();
        history.add(reading("a", 0, 0, 1, 0.1, 10), 5);
        history.add(reading("b", 0, 0, 1, 0.3, 0), 5);
        ServiceHour hour = history.until(Long.MAX_VALUE).get(START);
        assertThat(hour.periods()).isEqualTo(2_000);
        assertThat(hour.throttledPeriods()).isEqualTo(400);
        assertThat(hour.usedCores()).isEqualTo(8);
        assertThat(hour.reservedCores()).hasValue(10);
        assertThat(history.completeness(START, START + HOUR)).hasValue(0.9);
        history.add(reading("a", 6, 0, 1, 0.1, 10), 5);
        assertThat(history.readings()).hasSize(1);
        assertThat(history.newestUs()).hasValue(START + 6 * HOUR);
    }
}
