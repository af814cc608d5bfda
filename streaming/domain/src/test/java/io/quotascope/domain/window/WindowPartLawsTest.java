package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class WindowPartLawsTest {
    private static final long DAY_MS = 86_400_000;

    // Late part numbers begin at 1: before 00:15 on 1 January 1970 they would be mistaken for part
    // 0.
    @Property
    void everyRecordHasAPartThatIsStillOpenAtItsAppendTime(
            @ForAll @LongRange(min = 0, max = 1L << 52) long startUs,
            @ForAll @LongRange(min = WindowPart.LATE_PART_MS, max = 1L << 43) long ms) {
        WindowPart part = WindowPart.of(startUs, ms);
        assertThat(part.part()).isNotNegative();
        assertThat(part.closesAtMs()).isGreaterThanOrEqualTo(ms);
        assertThat(part.minuteStartUs())
                .isLessThanOrEqualTo(startUs)
                .isGreaterThan(startUs - WindowPart.MINUTE_US);
    }

    @Property
    void partsAndTheirClosingRiseWithAppendTime(
            @ForAll @LongRange(min = 29_000_000, max = 30_000_000) long minute,
            @ForAll @LongRange(min = -DAY_MS, max = DAY_MS) long one,
            @ForAll @LongRange(min = 0, max = DAY_MS) long more) {
        long startUs = minute * WindowPart.MINUTE_US;
        WindowPart earlier = WindowPart.of(startUs, startUs / 1000 + one);
        WindowPart later = WindowPart.of(startUs, startUs / 1000 + one + more);
        assertThat(later.part()).isGreaterThanOrEqualTo(earlier.part());
        assertThat(later.closesAtMs()).isGreaterThanOrEqualTo(earlier.closesAtMs());
        if (later.part() > earlier.part()) { // nothing of the earlier part can come after it closed
            assertThat(startUs / 1000 + one + more).isGreaterThan(earlier.closesAtMs());
        }
    }

    @Property
    void whatIsAdmittedFallsIntoAtMostTwentySevenParts(
            @ForAll @LongRange(min = 29_000_000, max = 30_000_000) long minute,
            @ForAll @LongRange(min = -60_000, max = 23_400_000) long ageMs) {
        long startUs = minute * WindowPart.MINUTE_US;
        long appendTimeMs = (startUs + WindowPart.WINDOW_US) / 1000 + ageMs;
        assertThat(WindowPart.refusalOf(startUs, appendTimeMs)).isEmpty();
        long part = WindowPart.of(startUs, appendTimeMs).part();
        long firstLate = startUs / 1000 / WindowPart.LATE_PART_MS;
        // 6 h 30 min are 26 quarters; the first and the last may be cut
        assertThat(part)
                .satisfiesAnyOf(
                        p -> assertThat(p).isZero(),
                        p -> assertThat(p).isBetween(firstLate, firstLate + 27));
    }
}
