package io.quotascope.oracle;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All rows of one service and class in the order in which their parts closed. Parts that closed at
 * the same instant are merged before any of their minutes is judged.
 */
final class Walk {
    private final Cadence cadence;
    private final int horizonMinutes;
    private final Judge judge;
    private final TreeMap<Long, ServiceAccumulator> minutes = new TreeMap<>();
    private final Map<Long, Long> parts = new HashMap<>();
    private final TreeMap<Long, Kept> analysed = new TreeMap<>();
    private final TreeMap<Long, LoadPeaks.Hour> hours = new TreeMap<>();

    /**
     * One judgement.
     *
     * @param minute all parts so far
     * @param part the last of them
     * @param revision reprocessing revision of the row
     * @param trigger why it is analysed; absent when it is not
     * @param horizon the minutes that an analysis looks at
     * @param peaks load of the last weeks
     * @param lastCliff the last analysis that found a cliff
     */
    record Moment(
            ServiceSums minute,
            long part,
            long revision,
            Optional<AnalysisTrigger> trigger,
            SortedMap<Long, ServiceSums> horizon,
            LoadPeaks peaks,
            Optional<Kept> lastCliff) {}

    /** What an analysis leaves behind. */
    record Kept(EarlyWarning.Minute load, Optional<AnalysedCliff> cliff) {}

    /** What is made of a moment. */
    interface Judge {
        Optional<Kept> judge(Moment moment);
    }

    Walk(Cadence cadence, int horizonMinutes, Judge judge) {
        this.cadence = cadence;
        this.horizonMinutes = horizonMinutes;
        this.judge = judge;
    }

    /**
     * Walks over the rows of one service and class; repetitions and order do not matter, and of a
     * row that was computed again the greatest revision counts.
     */
    void over(List<ServiceWindow> rows) {
        TreeMap<Long, TreeMap<Long, ServiceWindow>> byClosing = new TreeMap<>();
        for (ServiceWindow row : rows) {
            long start = row.sums().windowStartUs();
            byClosing
                    .computeIfAbsent(
                            new WindowPart(start, row.part()).closesAtMs(), at -> new TreeMap<>())
                    .merge(
                            start,
                            row,
                            (one, other) -> other.revision() > one.revision() ? other : one);
        }
        for (TreeMap<Long, ServiceWindow> together : byClosing.values()) {
            together.values().forEach(this::merge);
            together.values().forEach(this::judged);
        }
    }

    private void merge(ServiceWindow row) {
        long start = row.sums().windowStartUs();
        minutes.computeIfAbsent(start, at -> new ServiceAccumulator(row.sums().key(), at))
                .merge(row.sums());
        parts.put(start, row.part());
        hours.merge(
                LoadPeaks.hourOf(start),
                LoadPeaks.Hour.of(minutes.get(start).toServiceSums()),
                LoadPeaks.Hour::most);
    }

    private void judged(ServiceWindow row) {
        long start = row.sums().windowStartUs();
        ServiceSums minute = minutes.get(start).toServiceSums();
        Optional<AnalysisTrigger> trigger =
                row.part() == 0
                        ? cadence.onTime(minute, before(start))
                        : cadence.late(minute, analysed.containsKey(start));
        judge.judge(
                        new Moment(
                                minute,
                                parts.get(start),
                                row.revision(),
                                trigger,
                                horizon(start),
                                new LoadPeaks(hours.headMap(start + WindowPart.MINUTE_US)),
                                lastCliff(start)))
                .ifPresent(kept -> analysed.put(start, kept));
    }

    private Optional<Cadence.Before> before(long start) {
        return Optional.ofNullable(analysed.floorEntry(start))
                .filter(last -> Cadence.isValid(last.getKey(), start))
                .map(last -> new Cadence.Before(last.getKey(), last.getValue().load()));
    }

    private Optional<Kept> lastCliff(long start) {
        List<Kept> found = new ArrayList<>();
        analysed.headMap(start, true)
                .descendingMap()
                .forEach(
                        (at, kept) -> {
                            if (Cadence.isValid(at, start) && kept.cliff().isPresent()) {
                                found.add(kept);
                            }
                        });
        return found.stream().findFirst();
    }

    private SortedMap<Long, ServiceSums> horizon(long start) {
        SortedMap<Long, ServiceSums> horizon = new TreeMap<>();
        minutes.subMap(start - (horizonMinutes - 1) * WindowPart.MINUTE_US, true, start, true)
                .forEach((at, sums) -> horizon.put(at, sums.toServiceSums()));
        return horizon;
    }
}
