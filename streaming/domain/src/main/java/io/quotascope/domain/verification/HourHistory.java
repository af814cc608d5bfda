package io.quotascope.domain.verification;

import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.window.Reporting;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last weeks of one service, an hour and class at a time. Rows come in any order; of each hour
 * and class the one that knows most stays. Not for two threads at once.
 */
public final class HourHistory {
    private final TreeMap<Long, TreeMap<String, HourReading>> hours = new TreeMap<>();

    /**
     * Takes a row over.
     *
     * @param keptHours hours to keep before the newest one
     */
    public void add(HourReading reading, long keptHours) {
        hours.computeIfAbsent(reading.hourStartUs(), start -> new TreeMap<>())
                .merge(
                        reading.key().quotaClass(),
                        reading,
                        (before, after) -> after.replaces(before) ? after : before);
        hours.headMap(hours.lastKey() - keptHours * ServiceHour.HOUR_US).clear();
    }

    /** All rows, by hour and class. */
    public Collection<HourReading> readings() {
        return hours.values().stream().flatMap(classes -> classes.values().stream()).toList();
    }

    /** Start of the newest hour; absent without any. */
    public OptionalLong newestUs() {
        return hours.isEmpty() ? OptionalLong.empty() : OptionalLong.of(hours.lastKey());
    }

    /** The newest row, for what it says of the catalog. */
    public HourReading newest() {
        return hours.lastEntry().getValue().firstEntry().getValue();
    }

    /** What is known of the requests of a service's hours. */
    @FunctionalInterface
    public interface Requests {
        /** Requests of the hour that starts at an instant; absent where nobody counts them. */
        Optional<HourLoad> of(long hourStartUs);
    }

    /** The service as a whole, its classes added, up to an instant; nobody counts its requests. */
    public SortedMap<Long, ServiceHour> until(long endUs) {
        return until(endUs, hourStartUs -> Optional.empty());
    }

    /** The same, each hour with what is known of its requests. */
    public SortedMap<Long, ServiceHour> until(long endUs, Requests requests) {
        TreeMap<Long, ServiceHour> whole = new TreeMap<>();
        for (Map.Entry<Long, TreeMap<String, HourReading>> hour : hours.headMap(endUs).entrySet()) {
            long startUs = hour.getKey();
            whole.put(startUs, together(startUs, hour.getValue().values(), requests.of(startUs)));
        }
        return whole;
    }

    private static ServiceHour together(
            long startUs, Collection<HourReading> classes, Optional<HourLoad> load) {
        boolean reserved = classes.stream().anyMatch(each -> each.reservedCores().isPresent());
        double reservedCores =
                classes.stream().mapToDouble(each -> each.reservedCores().orElse(0)).sum();
        return new ServiceHour(
                startUs,
                classes.stream().mapToLong(HourReading::periods).sum(),
                classes.stream().mapToLong(HourReading::throttledPeriods).sum(),
                classes.stream().mapToDouble(HourReading::usedCores).sum(),
                reserved ? OptionalDouble.of(reservedCores) : OptionalDouble.empty(),
                load.map(HourLoad::wholeRequests).orElse(OptionalLong.empty()),
                load.map(HourLoad::wholeLatencyUsP99).orElse(OptionalDouble.empty()));
    }

    /** Records received / expected over [from, until). */
    public OptionalDouble completeness(long fromUs, long untilUs) {
        long records = 0;
        long expected = 0;
        for (TreeMap<String, HourReading> classes : hours.subMap(fromUs, untilUs).values()) {
            for (HourReading reading : classes.values()) {
                records += reading.records();
                expected += reading.expectedRecords();
            }
        }
        return Reporting.completeness(records, expected);
    }
}
