package io.quotascope.domain.hour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowFixture;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Example;

class HorizonsTest {
    /** A Thursday, midnight UTC. */
    private static final long START_US = 1_767_225_600_000_000L;

    private static long hour(int number) {
        return START_US + number * HourPart.HOUR_US;
    }

    private static LoadHours.Hour hourOf(int number, double cores, long throttled) {
        long usageUs = (long) (cores * HourPart.HOUR_US);
        return new LoadHours.Hour(
                hour(number), 60, 360, 400, usageUs, 100, throttled, usageUs / 30);
    }

    private static LoadHours load(List<LoadHours.Hour> hours) {
        long[] cells = new long[hours.size() * 8];
        int at = 0;
        for (LoadHours.Hour hour : hours) {
            for (long cell :
                    new long[] {
                        hour.startUs(), hour.minutes(), hour.records(), hour.expectedRecords(),
                        hour.usageUs(), hour.periods(), hour.throttledPeriods(), hour.usageUsMax()
                    }) {
                cells[at++] = cell;
            }
        }
        return LoadHours.of(cells);
    }

    @Example
    void anHourADayAndThePeaksAreSumsOfTheirHours() {
        List<LoadHours.Hour> hours = new ArrayList<>();
        for (int number = 0; number < 50; number++) {
            hours.add(hourOf(number, number % 24 == 12 ? 8 : 2, number == 49 ? 30 : 1));
        }
        Horizons at = Horizons.at(load(hours), hour(49) + 59 * WindowPart.MINUTE_US);
        assertThat(at.hour().usedCores()).hasValue(2);
        // (1 + 30) of 200 periods in the last full and the running hour.
        assertThat(at.hour().throttledPeriodRatio()).hasValue(31 / 200.0);
        assertThat(at.hour().completeness()).hasValue(0.9);
        // 25 hours, of which one noon.
        assertThat(at.day().usedCores().orElseThrow()).isCloseTo((24 * 2 + 8) / 25.0, within(1e-9));
        // A tenth of 49 full hours, rounded up: both noons and three others.
        assertThat(at.peak().usedCores().orElseThrow())
                .isCloseTo((2 * 8 + 3 * 2) / 5.0, within(1e-9));
        assertThat(at.usedCoresMax()).hasValue(16);
        assertThat(at.dailySwing().orElseThrow()).isCloseTo(4, within(1e-9));
        assertThat(at.weeklySwing()).as("only three days of the week are known").isEmpty();
        assertThat(at.historyHours()).isEqualTo(50);
    }

    @Example
    void aWeekTellsTheSwingBetweenDays() {
        List<LoadHours.Hour> hours = new ArrayList<>();
        for (int number = 0; number < 8 * 24; number++) {
            // Days 2 and 3 after a Thursday are the weekend.
            int day = number / 24 % 7;
            hours.add(hourOf(number, day == 2 || day == 3 ? 1 : 3, 0));
        }
        Horizons at = Horizons.at(load(hours), hour(8 * 24 - 1));
        assertThat(at.weeklySwing().orElseThrow()).isCloseTo(3, within(1e-9));
    }

    @Example
    void nothingIsSaidOfHoursThatAreNotThere() {
        Horizons at = Horizons.at(LoadHours.EMPTY, hour(3));
        assertThat(at.hour().usedCores()).isEmpty();
        assertThat(at.peak().throttledPeriodRatio()).isEmpty();
        assertThat(at.usedCoresMax()).isEmpty();
        assertThat(at.historyHours()).isZero();
        assertThatThrownBy(() -> LoadHours.of(new long[7]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A row of a minute with records of one shard. */
    private static ServiceSums row(int minute, int records) {
        long startUs = START_US + minute * WindowPart.MINUTE_US;
        ShardWindow sound = WindowFixture.window(1);
        ServiceAccumulator sums = new ServiceAccumulator(sound.key(), startUs);
        for (int slot = 0; slot < records; slot++) {
            sums.add(at(sound, startUs + slot * WindowPart.WINDOW_US));
        }
        return sums.toServiceSums();
    }

    private static ShardWindow at(ShardWindow sound, long startUs) {
        return new ShardWindow(
                sound.sender(),
                sound.origin(),
                sound.cluster(),
                sound.service(),
                sound.shard(),
                sound.shardId(),
                startUs,
                sound.sampling(),
                sound.usage(),
                sound.bandwidth(),
                OptionalLong.empty(),
                Bandwidth.NONE,
                sound.throttling(),
                sound.threads(),
                Optional.empty(),
                Optional.empty(),
                HardwareCounters.ABSENT,
                Optional.empty(),
                Placement.ABSENT);
    }

    @Example
    void rowsMakeTheSameHoursInAnyOrder() {
        List<Integer> minutes = new ArrayList<>();
        for (int minute = 0; minute < 130; minute++) {
            minutes.add(minute);
        }
        LoadHours inOrder = hoursOf(minutes);
        assertThat(inOrder.hours()).hasSize(3);
        assertThat(inOrder.hours().get(0).minutes()).isEqualTo(60);
        Collections.shuffle(minutes, new Random(5));
        assertThat(hoursOf(minutes)).isEqualTo(inOrder);
        assertThat(LoadHours.of(inOrder.cells())).isEqualTo(inOrder);
    }

    private static LoadHours hoursOf(List<Integer> minutes) {
        LoadHours hours = LoadHours.EMPTY;
        for (int minute : minutes) {
            ServiceSums row = row(minute, 1 + minute % 6);
            hours = hours.plus(row, true, row.usage().usageUs());
        }
        return hours;
    }

    @Example
    void aLatePartAddsToItsHourButNotToItsMinutes() {
        ServiceSums row = row(0, 3);
        LoadHours hours = LoadHours.EMPTY.plus(row, true, 100).plus(row, false, 250);
        LoadHours.Hour hour = hours.hours().get(0);
        assertThat(hour.minutes()).isEqualTo(1);
        assertThat(hour.records()).isEqualTo(6);
        assertThat(hour.usageUsMax()).isEqualTo(250);
        assertThat(hours.peaks()).containsEntry(START_US, 250 / 60e6);
    }

    @Example
    void fifteenDaysAreKeptAndNoMore() {
        LoadHours hours = LoadHours.EMPTY;
        for (int hour = 0; hour < 400; hour++) {
            ServiceSums row = row(hour * 60, 1);
            hours = hours.plus(row, true, row.usage().usageUs());
        }
        assertThat(hours.hours()).hasSize(361);
        assertThat(hours.cells().length * 8).isLessThanOrEqualTo(23_104);
        assertThat(hours.plus(row(0, 1), true, 1))
                .as("older than all that is kept")
                .isEqualTo(hours);
    }
}
