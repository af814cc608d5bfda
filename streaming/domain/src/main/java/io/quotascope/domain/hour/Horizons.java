package io.quotascope.domain.hour;

import io.quotascope.domain.hour.LoadHours.Hour;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.WindowPart;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * One service and class over longer than a minute.
 *
 * @param hour the last full hour and the running one
 * @param day the last 24 full hours and the running one
 * @param peak the tenth of the full hours of the last 14 days that used most
 * @param usedCoresMax used cores of the busiest minute of the last 14 days; absent without hours
 * @param dailySwing busiest / quietest hour of the day, of mean used cores over the last 14 days;
 *     absent until all 24 are known
 * @param weeklySwing busiest / quietest day of the week; absent until all 7 are known
 * @param historyHours hours of the last 14 days that had rows
 */
public record Horizons(
        Span hour,
        Span day,
        Span peak,
        OptionalDouble usedCoresMax,
        OptionalDouble dailySwing,
        OptionalDouble weeklySwing,
        int historyHours) {
    private static final int DAY_HOURS = 24;
    private static final int WEEK_DAYS = 7;
    private static final int HISTORY_HOURS = 14 * DAY_HOURS;
    private static final int PEAK_SHARE = 10;

    /**
     * Some hours together.
     *
     * @param usedCores of all shards, over the minutes that had rows; absent without any
     * @param throttledPeriodRatio throttled periods / periods; absent when none elapsed
     * @param completeness records received / expected; absent when the hosts have not said
     */
    public record Span(
            OptionalDouble usedCores,
            OptionalDouble throttledPeriodRatio,
            OptionalDouble completeness) {
        static Span of(List<Hour> hours) {
            Optional<Hour> sums = hours.stream().reduce(Hour::plus);
            return sums.isEmpty()
                    ? new Span(
                            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty())
                    : of(sums.get());
        }

        private static Span of(Hour sums) {
            return new Span(
                    sums.minutes() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(sums.usedCores()),
                    sums.periods() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(sums.throttledPeriods() / (double) sums.periods()),
                    Reporting.completeness(sums.records(), sums.expectedRecords()));
        }
    }

    /**
     * The horizons that end with the hour of an instant.
     *
     * @param load hours; those after the instant are not looked at
     * @param nowUs instant, microseconds since the Unix epoch, UTC
     */
    public static Horizons at(LoadHours load, long nowUs) {
        long running = HourPart.hourOf(nowUs);
        List<Hour> history =
                load.hours().stream()
                        .filter(hour -> hour.minutes() > 0 && hour.startUs() <= running)
                        .filter(hour -> running - hour.startUs() <= back(HISTORY_HOURS))
                        .toList();
        List<Hour> full = history.stream().filter(hour -> hour.startUs() < running).toList();
        return new Horizons(
                Span.of(since(history, running - back(1))),
                Span.of(since(history, running - back(DAY_HOURS))),
                Span.of(busiest(full)),
                max(history),
                swing(full, DAY_HOURS, start -> start / HourPart.HOUR_US % DAY_HOURS),
                swing(full, WEEK_DAYS, start -> start / back(DAY_HOURS) % WEEK_DAYS),
                history.size());
    }

    private static long back(long hours) {
        return hours * HourPart.HOUR_US;
    }

    private static List<Hour> since(List<Hour> hours, long fromUs) {
        return hours.stream().filter(hour -> hour.startUs() >= fromUs).toList();
    }

    private static List<Hour> busiest(List<Hour> full) {
        int count = (full.size() + PEAK_SHARE - 1) / PEAK_SHARE;
        return full.stream()
                .sorted(
                        Comparator.comparingDouble(Hour::usedCores)
                                .reversed()
                                .thenComparingLong(Hour::startUs))
                .limit(count)
                .toList();
    }

    private static OptionalDouble max(List<Hour> hours) {
        return hours.stream()
                .mapToDouble(hour -> hour.usageUsMax() / (double) WindowPart.MINUTE_US)
                .max();
    }

    /** Greatest / smallest mean of classes of hours; absent until each class has hours and use. */
    private static OptionalDouble swing(
            List<Hour> full, int classes, ToLongFunction<Long> classOf) {
        List<Hour> sums =
                full.stream()
                        .collect(
                                Collectors.groupingBy(
                                        hour -> classOf.applyAsLong(hour.startUs()),
                                        Collectors.reducing(Hour::plus)))
                        .values()
                        .stream()
                        .map(Optional::orElseThrow)
                        .toList();
        double least = sums.stream().mapToDouble(Hour::usedCores).min().orElse(0);
        double most = sums.stream().mapToDouble(Hour::usedCores).max().orElse(0);
        return sums.size() < classes || least <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(most / least);
    }
}
