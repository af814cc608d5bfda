package io.quotascope.domain.hour;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.WindowPart;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class HourPartTest {
    private static final long HOUR_US = 1_767_225_600_000_000L;
    private static final long END_MS = HOUR_US / 1000 + 3_600_000;

    @Example
    void rowsThatCloseUntilHalfAMinuteAfterTheHourAreOnTime() {
        long lastMinute = HOUR_US + 59 * WindowPart.MINUTE_US;
        assertThat(HourPart.of(new WindowPart(lastMinute, 0))).isEqualTo(new HourPart(HOUR_US, 0));
        // A record of the first minute that came 20 minutes later closes at the half hour.
        WindowPart within = WindowPart.of(HOUR_US, HOUR_US / 1000 + 1_200_000);
        assertThat(within.part()).isPositive();
        assertThat(HourPart.of(within)).isEqualTo(new HourPart(HOUR_US, 0));
        // The last quarter of the hour ends with it, 1 ms before; the one after closes too late.
        long slot = END_MS / 900_000;
        assertThat(HourPart.of(new WindowPart(HOUR_US, slot - 1)).part()).isZero();
        assertThat(HourPart.of(new WindowPart(HOUR_US, slot)).part()).isEqualTo(slot);
        assertThat(HourPart.of(new WindowPart(HOUR_US, slot)).closesAtMs())
                .isEqualTo((slot + 1) * 900_000 - 1);
    }

    @Property
    void aRowNeverClosesAfterThePartOfTheHourThatHoldsIt(
            @ForAll @LongRange(max = 59) long minute,
            @ForAll @LongRange(max = WindowPart.AGE_MS_MAX) long delayMs) {
        long startUs = HOUR_US + minute * WindowPart.MINUTE_US;
        WindowPart row = WindowPart.of(startUs, startUs / 1000 + 60_000 + delayMs);
        HourPart hour = HourPart.of(row);
        assertThat(hour.hourStartUs()).isEqualTo(HOUR_US);
        assertThat(row.closesAtMs()).isLessThanOrEqualTo(hour.closesAtMs());
    }
}
