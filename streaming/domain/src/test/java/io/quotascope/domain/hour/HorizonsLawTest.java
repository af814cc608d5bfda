package io.quotascope.domain.hour;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.hour.LoadHours.Hour;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowFixture;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The same horizons, worked out as their description reads. */
class HorizonsLawTest {
    private static final long START_US = 1_767_225_600_000_000L;
    private static final long DAY_US = 24 * HourPart.HOUR_US;

    @Property(tries = 100)
    void horizonsAreThoseOfTheirDescription(@ForAll long seed) {
        Random random = new Random(seed);
        LoadHours load = hours(random);
        long nowUs = START_US + (long) (random.nextDouble() * 20 * DAY_US);
        long running = HourPart.hourOf(nowUs);
        List<Hour> known =
                load.hours().stream()
                        .filter(hour -> hour.minutes() > 0 && hour.startUs() <= running)
                        .filter(hour -> hour.startUs() >= running - 14 * DAY_US)
                        .toList();
        List<Hour> full = known.stream().filter(hour -> hour.startUs() < running).toList();
        List<Hour> busiest =
                full.stream()
                        .sorted(
                                Comparator.comparingDouble(Hour::usedCores)
                                        .reversed()
                                        .thenComparingLong(Hour::startUs))
                        .limit((full.size() + 9) / 10)
                        .toList();
        Horizons at = Horizons.at(load, nowUs);
        assertThat(at.historyHours()).isEqualTo(known.size());
        assertThat(at.hour().usedCores()).isEqualTo(used(since(known, running - HourPart.HOUR_US)));
        assertThat(at.day().usedCores()).isEqualTo(used(since(known, running - DAY_US)));
        assertThat(at.peak().usedCores()).isEqualTo(used(busiest));
        assertThat(at.usedCoresMax())
                .isEqualTo(known.stream().mapToDouble(hour -> hour.usageUsMax() / 60e6).max());
        assertThat(at.dailySwing())
                .isEqualTo(swing(full, 24, start -> start / HourPart.HOUR_US % 24));
        assertThat(at.weeklySwing()).isEqualTo(swing(full, 7, start -> start / DAY_US % 7));
    }

    @Property(tries = 50)
    void rowsOfAnyOrderMakeTheHoursOfTheNewestFifteenDays(@ForAll long seed) {
        Random random = new Random(seed);
        LoadHours made = LoadHours.EMPTY;
        TreeMap<Long, Long> records = new TreeMap<>();
        for (int step = 0; step < 60; step++) {
            long startUs = START_US + random.nextInt(20 * 24 * 60) * WindowPart.MINUTE_US;
            ServiceAccumulator sums =
                    new ServiceAccumulator(WindowFixture.window(1).key(), startUs);
            ServiceSums row = sums.toServiceSums();
            made = made.plus(row, true, 7);
            records.merge(HourPart.hourOf(startUs), 1L, Long::sum);
            records.headMap(records.lastKey() - 15 * DAY_US).clear();
        }
        TreeMap<Long, Long> minutes = new TreeMap<>();
        made.hours().forEach(hour -> minutes.put(hour.startUs(), hour.minutes()));
        assertThat(minutes).isEqualTo(records);
        assertThat(made.hours()).isSortedAccordingTo(Comparator.comparingLong(Hour::startUs));
    }

    /** Few different loads, so that hours are often alike; some hours are missing, some empty. */
    private static LoadHours hours(Random random) {
        List<Long> cells = new ArrayList<>();
        int chance = 1 + random.nextInt(10);
        for (int number = 0; number < 361; number++) {
            if (random.nextInt(10) < chance) {
                long usageUs = random.nextInt(5) * 3_600_000_000L;
                cells.addAll(
                        List.of(
                                START_US + number * HourPart.HOUR_US,
                                (long) (random.nextInt(20) == 0 ? 0 : 60),
                                10L,
                                10L,
                                usageUs,
                                100L,
                                (long) random.nextInt(100),
                                usageUs / 30));
            }
        }
        return LoadHours.of(cells.stream().mapToLong(Long::longValue).toArray());
    }

    private static List<Hour> since(List<Hour> hours, long fromUs) {
        return hours.stream().filter(hour -> hour.startUs() >= fromUs).toList();
    }

    private static OptionalDouble used(List<Hour> hours) {
        return hours.stream()
                .reduce(Hour::plus)
                .map(sum -> OptionalDouble.of(sum.usedCores()))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble swing(List<Hour> full, int classes, LongUnaryOperator classOf) {
        List<Double> used =
                full.stream()
                        .collect(Collectors.groupingBy(hour -> classOf.applyAsLong(hour.startUs())))
                        .values()
                        .stream()
                        .map(hours -> used(hours).orElseThrow())
                        .sorted()
                        .toList();
        return used.size() < classes || used.get(0) <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(used.get(classes - 1) / used.get(0));
    }
}
