package io.quotascope.domain.hour;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rows of the minutes of one hour, merged in any order and grouping.
 *
 * @param merged their sums, dated at the hour; its slot counts are sums over minutes, and
 *     exemplars, which only a minute can show, are left out
 * @param rows what is kept of each row, by minute and part
 */
public record HourSums(ServiceSums merged, SortedMap<WindowPart, MinuteSums> rows) {
    /** The order of rows: by minute, then by part. */
    public static final Comparator<WindowPart> ROW_ORDER =
            Comparator.comparingLong(WindowPart::minuteStartUs).thenComparingLong(WindowPart::part);

    /** One row of a minute. */
    public static HourSums of(ServiceSums row, long part) {
        TreeMap<WindowPart, MinuteSums> rows = new TreeMap<>(ROW_ORDER);
        rows.put(new WindowPart(row.windowStartUs(), part), MinuteSums.of(row));
        return new HourSums(row.ofHour(HourPart.hourOf(row.windowStartUs())), rows);
    }

    /**
     * Both together.
     *
     * @throws IllegalArgumentException when a row is in both, or they are of two hours
     */
    public HourSums plus(HourSums other) {
        ServiceAccumulator sums = ServiceAccumulator.of(merged);
        sums.merge(other.merged);
        TreeMap<WindowPart, MinuteSums> together = new TreeMap<>(ROW_ORDER);
        together.putAll(rows);
        for (Map.Entry<WindowPart, MinuteSums> row : other.rows.entrySet()) {
            if (together.put(row.getKey(), row.getValue()) != null) {
                throw new IllegalArgumentException(row.getKey() + " would count twice");
            }
        }
        return new HourSums(sums.toServiceSums(), together);
    }

    /** The minutes that had rows, the parts of each added. */
    SortedMap<Long, MinuteSums> minutes() {
        TreeMap<Long, MinuteSums> minutes = new TreeMap<>();
        rows.forEach((row, sums) -> minutes.merge(row.minuteStartUs(), sums, MinuteSums::plus));
        return minutes;
    }

    /** Shards: the greatest record count of a window of 10 s of any minute. */
    int shards() {
        return minutes().values().stream()
                .mapToInt(minute -> minute.slotRecords().max())
                .max()
                .orElse(0);
    }

    /** Used cores of all shards in the minute that used most. */
    double usedCoresMax() {
        return minutes().values().stream().mapToDouble(MinuteSums::usedCores).max().orElse(0);
    }

    /** Throttled periods / periods of the minute in which it was greatest. */
    OptionalDouble throttledPeriodRatioMax() {
        return minutes().values().stream()
                .map(MinuteSums::throttledPeriodRatio)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max();
    }
}
