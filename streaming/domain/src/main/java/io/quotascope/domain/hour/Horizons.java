package io.quotascope.domain.hour;

import io.quotascope.domain.hour.LoadHours.Hour;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongToIntFunction;

/**
 * One service and class over longer than a minute. Judged with every row of every service, hence
 * written without streams.
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
            Hour sums = null;
            for (Hour hour : hours) {
                sums = sums == null ? hour : sums.plus(hour);
            }
            return sums == null
                    ? new Span(
                            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty())
                    : of(sums);
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
        List<Hour> history = new ArrayList<>();
        for (Hour hour : load.hours()) {
            long age = running - hour.startUs();
            if (hour.minutes() > 0 && age >= 0 && age <= back(HISTORY_HOURS)) {
                history.add(hour);
            }
        }
        int count = history.size();
        boolean runs = count > 0 && history.get(count - 1).startUs() == running;
        List<Hour> full = runs ? history.subList(0, count - 1) : history;
        return new Horizons(
                Span.of(since(history, running - back(1))),
                Span.of(since(history, running - back(DAY_HOURS))),
                Span.of(busiest(full)),
                max(history),
                swing(full, DAY_HOURS, start -> (int) (start / HourPart.HOUR_US % DAY_HOURS)),
                swing(full, WEEK_DAYS, start -> (int) (start / back(DAY_HOURS) % WEEK_DAYS)),
                history.size());
    }

    private static long back(long hours) {
        return hours * HourPart.HOUR_US;
    }

    /** Those from an instant on; hours are in the order of time. */
    private static List<Hour> since(List<Hour> hours, long fromUs) {
        int first = hours.size();
        while (first > 0 && hours.get(first - 1).startUs() >= fromUs) {
            first--;
        }
        return hours.subList(first, hours.size());
    }

    /** The tenth that used most; of those that used alike, the earlier. */
    private static List<Hour> busiest(List<Hour> full) {
        int count = (full.size() + PEAK_SHARE - 1) / PEAK_SHARE;
        if (count == 0) {
            return List.of();
        }
        double[] ascending = new double[full.size()];
        for (int at = 0; at < ascending.length; at++) {
            ascending[at] = full.get(at).usedCores();
        }
        Arrays.sort(ascending);
        double least = ascending[ascending.length - count];
        List<Hour> busiest = new ArrayList<>(count);
        List<Hour> alike = new ArrayList<>();
        for (Hour hour : full) {
            double used = hour.usedCores();
            if (used > least) {
                busiest.add(hour);
            } else if (used == least) {
                alike.add(hour);
            }
        }
        busiest.addAll(alike.subList(0, count - busiest.size()));
        return busiest;
    }

    private static OptionalDouble max(List<Hour> hours) {
        long most = -1;
        for (Hour hour : hours) {
            most = Math.max(most, hour.usageUsMax());
        }
        return most < 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(most / (double) WindowPart.MINUTE_US);
    }

    /** Greatest / smallest mean of classes of hours; absent until each class has hours and use. */
    private static OptionalDouble swing(
            List<Hour> full, int classes, LongToIntFunction classOfStart) {
        Hour[] sums = new Hour[classes];
        for (Hour hour : full) {
            int at = classOfStart.applyAsInt(hour.startUs());
            sums[at] = sums[at] == null ? hour : sums[at].plus(hour);
        }
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Hour sum : sums) {
            if (sum == null) {
                return OptionalDouble.empty();
            }
            least = Math.min(least, sum.usedCores());
            most = Math.max(most, sum.usedCores());
        }
        return least <= 0 ? OptionalDouble.empty() : OptionalDouble.of(most / least);
    }
}
