package io.quotascope.domain.hour;

import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last fifteen days of one service and class, an hour at a time: what horizons and the forecast
 * of its load rest on. Immutable; eight numbers an hour, so at most 361 x 64 = 23,104 bytes.
 */
public final class LoadHours {
    /** Nothing is known. */
    public static final LoadHours EMPTY = new LoadHours(new long[0]);

    /** Hours that are kept before the newest one: fourteen days, and one to compare them with. */
    public static final int KEPT_HOURS = 15 * 24;

    private static final int WIDTH = 8;

    /**
     * One hour.
     *
     * @param startUs start, microseconds since the Unix epoch, UTC
     * @param minutes minutes of it that had rows
     * @param records records received
     * @param expectedRecords records that the hosts say they sent
     * @param usageUs CPU time used by all shards, microseconds
     * @param periods periods elapsed
     * @param throttledPeriods throttled periods
     * @param usageUsMax CPU time of the minute that used most, microseconds
     */
    public record Hour(
            long startUs,
            long minutes,
            long records,
            long expectedRecords,
            long usageUs,
            long periods,
            long throttledPeriods,
            long usageUsMax) {
        /** Used cores of all shards, over the minutes that had rows. */
        public double usedCores() {
            return usageUs / (double) (minutes * WindowPart.MINUTE_US);
        }

        private void writeTo(long[] cells, int at) {
            cells[at] = startUs;
            cells[at + 1] = minutes;
            cells[at + 2] = records;
            cells[at + 3] = expectedRecords;
            cells[at + 4] = usageUs;
            cells[at + 5] = periods;
            cells[at + 6] = throttledPeriods;
            cells[at + 7] = usageUsMax;
        }

        Hour plus(Hour other) {
            return new Hour(
                    Math.min(startUs, other.startUs),
                    minutes + other.minutes,
                    records + other.records,
                    expectedRecords + other.expectedRecords,
                    usageUs + other.usageUs,
                    periods + other.periods,
                    throttledPeriods + other.throttledPeriods,
                    Math.max(usageUsMax, other.usageUsMax));
        }
    }

    private final long[] cells;

    private LoadHours(long[] cells) {
        this.cells = cells;
    }

    /**
     * Hours as {@link #cells} gave them.
     *
     * @throws IllegalArgumentException when they are not
     */
    public static LoadHours of(long[] cells) {
        if (cells.length % WIDTH != 0) {
            throw new IllegalArgumentException(cells.length + " numbers are no hours");
        }
        return new LoadHours(cells.clone());
    }

    /** The numbers of all hours, in the order of time. */
    public long[] cells() {
        return cells.clone();
    }

    /**
     * With one more row.
     *
     * @param row a row of a minute, each once
     * @param first whether the minute had no row before
     * @param minuteUsageUs CPU time of the minute with this row, microseconds
     */
    public LoadHours plus(ServiceSums row, boolean first, long minuteUsageUs) {
        Hour added =
                new Hour(
                        HourPart.hourOf(row.windowStartUs()),
                        first ? 1 : 0,
                        row.reporting().records(),
                        row.reporting().expectedRecords(),
                        row.usage().usageUs(),
                        row.throttling().periods(),
                        row.throttling().throttledPeriods(),
                        minuteUsageUs);
        int at = placeOf(added.startUs());
        boolean known = at < cells.length && cells[at] == added.startUs();
        long newest =
                Math.max(added.startUs(), cells.length == 0 ? 0 : cells[cells.length - WIDTH]);
        long oldest = newest - KEPT_HOURS * HourPart.HOUR_US;
        int kept = placeOf(oldest);
        if (added.startUs() < oldest) {
            return new LoadHours(Arrays.copyOfRange(cells, kept, cells.length));
        }
        long[] together = new long[cells.length - kept + (known ? 0 : WIDTH)];
        System.arraycopy(cells, kept, together, 0, at - kept);
        (known ? hourAt(at).plus(added) : added).writeTo(together, at - kept);
        int rest = known ? at + WIDTH : at;
        System.arraycopy(cells, rest, together, at - kept + WIDTH, cells.length - rest);
        return new LoadHours(together);
    }

    /** Where the first hour that does not begin before an instant stands, or would. */
    private int placeOf(long startUs) {
        int at = cells.length;
        while (at > 0 && cells[at - WIDTH] >= startUs) {
            at -= WIDTH;
        }
        return at;
    }

    private Hour hourAt(int at) {
        return new Hour(
                cells[at],
                cells[at + 1],
                cells[at + 2],
                cells[at + 3],
                cells[at + 4],
                cells[at + 5],
                cells[at + 6],
                cells[at + 7]);
    }

    /** The hours that had rows, in the order of time. */
    public List<Hour> hours() {
        List<Hour> hours = new ArrayList<>(cells.length / WIDTH);
        for (int at = 0; at < cells.length; at += WIDTH) {
            hours.add(hourAt(at));
        }
        return hours;
    }

    /** Used cores of the busiest minute of each hour, as {@code risk.LoadHistory} wants them. */
    public SortedMap<Long, Double> peaks() {
        TreeMap<Long, Double> peaks = new TreeMap<>();
        hours().forEach(
                        hour ->
                                peaks.put(
                                        hour.startUs(),
                                        hour.usageUsMax() / (double) WindowPart.MINUTE_US));
        return peaks;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LoadHours that && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
        return hours().toString();
    }
}
