package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * State of one service and class in a job of analyses; its bound is in {@link AnalysingFunction}.
 */
final class AnalysisState {
    private final MapState<Long, MergedParts> minutes;
    private final MapState<Long, AnalysedMinute> analysed;
    private final ValueState<Long> newestAnalysed;
    private final MapState<Long, LoadPeaks.Hour> hours;
    private final ValueState<Long> revision;
    private final MapState<Long, Long> late;
    private final ValueState<Long> lateSettlesMs;
    private final DecodedMinutes decoded = new DecodedMinutes(DecodedMinutes.AT_HAND);
    private final int horizonMinutes;
    private final long keptMs;

    AnalysisState(RuntimeContext context, int horizonMinutes) {
        this.horizonMinutes = horizonMinutes;
        this.keptMs = JudgingFunction.KEPT_MS + horizonMinutes * WindowPart.MINUTE_US / 1000;
        minutes =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "minutes", Types.LONG, new ByteFormType<>(new MergedPartsForm())));
        analysed =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "analysed",
                                Types.LONG,
                                new ByteFormType<>(new AnalysedMinuteForm())));
        newestAnalysed =
                context.getState(new ValueStateDescriptor<>("newest-analysed", Types.LONG));
        hours =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "hours", Types.LONG, new ByteFormType<>(new HourForm())));
        revision = context.getState(new ValueStateDescriptor<>("revision", Types.LONG));
        late = context.getMapState(new MapStateDescriptor<>("late", Types.LONG, Types.LONG));
        lateSettlesMs = context.getState(new ValueStateDescriptor<>("late-settles", Types.LONG));
    }

    /** The minute with the row merged into it; empty if the row is a repetition. */
    Optional<MergedParts> merge(ServiceWindow row, long rowMs) throws Exception {
        long start = row.sums().windowStartUs();
        MergedParts before = minutes.get(start);
        Optional<MergedParts> merged =
                before == null ? Optional.of(MergedParts.of(row, rowMs)) : before.plus(row, rowMs);
        if (merged.isPresent()) {
            if (before == null) {
                decoded.put(merged.get(), row.sums());
            }
            beginAnewAfter(merged.get().revision());
            minutes.put(start, merged.get());
            addLoad(merged.get());
        }
        return merged;
    }

    /**
     * What was found in rows of a smaller revision is forgotten: a minute that is judged again must
     * not be compared with what it, or one after it, has been itself.
     */
    private void beginAnewAfter(long fresh) throws Exception {
        Long known = revision.value();
        if (known != null && known >= fresh) {
            return;
        }
        revision.update(fresh);
        hours.clear();
        analysed.clear();
        newestAnalysed.clear();
        late.clear();
        lateSettlesMs.clear();
    }

    private void addLoad(MergedParts merged) throws Exception {
        long hour = LoadPeaks.hourOf(merged.windowStartUs());
        LoadPeaks.Hour load = LoadPeaks.Hour.of(sums(merged));
        LoadPeaks.Hour before = hours.get(hour);
        LoadPeaks.Hour most = before == null ? load : before.most(load);
        if (!most.equals(before)) {
            hours.put(hour, most);
        }
    }

    /** The sums of all parts. */
    ServiceSums sums(MergedParts merged) {
        return decoded.of(merged);
    }

    /** When state that a merge left has to end, milliseconds of the log's clock. */
    List<Long> timersAfter(MergedParts merged) {
        return List.of(
                merged.lastMovedMs() + keptMs,
                Math.max(
                        hourEndsMs(LoadPeaks.hourOf(merged.windowStartUs())),
                        merged.lastMovedMs() + keptMs));
    }

    private static long hourEndsMs(long hour) {
        return (hour + LoadPeaks.KEPT_US) / 1000;
    }

    Optional<MergedParts> minute(long startUs) throws Exception {
        return Optional.ofNullable(minutes.get(startUs));
    }

    /**
     * The minutes up to one, at its revision: what a smaller one left of a minute that is still to
     * be computed anew had not arrived when the log was read for the first time.
     */
    SortedMap<Long, ServiceSums> horizon(long lastUs) throws Exception {
        SortedMap<Long, ServiceSums> horizon = new TreeMap<>();
        long atRevision = minutes.get(lastUs).revision();
        for (int back = horizonMinutes - 1; back >= 0; back--) {
            MergedParts parts = minutes.get(lastUs - back * WindowPart.MINUTE_US);
            if (parts != null && parts.revision() >= atRevision) {
                horizon.put(parts.windowStartUs(), parts.sums());
            }
        }
        return horizon;
    }

    /** Load of the hours that began before an instant. */
    LoadPeaks peaks(long untilUs) throws Exception {
        SortedMap<Long, LoadPeaks.Hour> known = new TreeMap<>();
        for (Map.Entry<Long, LoadPeaks.Hour> hour : hours.entries()) {
            if (hour.getKey() < untilUs && hour.getKey() >= untilUs - LoadPeaks.KEPT_US) {
                known.put(hour.getKey(), hour.getValue());
            }
        }
        return new LoadPeaks(known);
    }

    void keep(long startUs, AnalysedMinute minute) throws Exception {
        analysed.put(startUs, minute);
        Long newest = newestAnalysed.value();
        if (newest == null || newest < startUs) {
            newestAnalysed.update(startUs);
        }
    }

    /** The last analysed minute up to one, by its start. */
    Optional<Map.Entry<Long, AnalysedMinute>> analysedUpTo(long startUs) throws Exception {
        Long newest = newestAnalysed.value();
        if (newest == null) {
            return Optional.empty();
        }
        if (newest <= startUs) {
            AnalysedMinute minute = analysed.get(newest);
            return minute == null || !Cadence.isValid(newest, startUs)
                    ? Optional.empty()
                    : Optional.of(Map.entry(newest, minute));
        }
        return analysedUpTo(startUs, false);
    }

    /** What the last analysis up to a minute left that found a cliff. */
    Optional<AnalysedMinute> withCliffUpTo(long startUs) throws Exception {
        Optional<AnalysedMinute> last = analysedUpTo(startUs).map(Map.Entry::getValue);
        return last.isEmpty() || last.get().cliff().isPresent()
                ? last
                : analysedUpTo(startUs, true).map(Map.Entry::getValue);
    }

    private Optional<Map.Entry<Long, AnalysedMinute>> analysedUpTo(long startUs, boolean withCliff)
            throws Exception {
        Optional<Map.Entry<Long, AnalysedMinute>> last = Optional.empty();
        for (Map.Entry<Long, AnalysedMinute> entry : analysed.entries()) {
            boolean fits =
                    Cadence.isValid(entry.getKey(), startUs)
                            && (!withCliff || entry.getValue().cliff().isPresent());
            if (fits && (last.isEmpty() || last.get().getKey() < entry.getKey())) {
                last = Optional.of(Map.entry(entry.getKey(), entry.getValue()));
            }
        }
        return last;
    }

    void putLate(long startUs, long closesMs, long settlesMs) throws Exception {
        late.put(startUs, closesMs);
        Long before = lateSettlesMs.value();
        lateSettlesMs.update(before == null ? settlesMs : Math.max(before, settlesMs));
    }

    /** Whether late parts wait that all closed before an instant. */
    boolean lateClosedBefore(long closesMs) throws Exception {
        if (late.isEmpty()) {
            return false;
        }
        for (Long closes : late.values()) {
            if (closes >= closesMs) {
                return false;
            }
        }
        return true;
    }

    /** Whether late parts wait that the clock says are all there. */
    boolean lateSettledBy(long nowMs) throws Exception {
        Long settles = lateSettlesMs.value();
        return settles != null && settles <= nowMs;
    }

    /** The minutes whose late parts waited, oldest first; they do no longer. */
    List<Long> takeLate() throws Exception {
        TreeSet<Long> starts = new TreeSet<>();
        late.keys().forEach(starts::add);
        late.clear();
        lateSettlesMs.clear();
        return List.copyOf(starts);
    }

    /**
     * Ends what is of no use any more at an instant of the topic's clock.
     *
     * @return when to look again at what waits for rows that lie behind; absent when nothing does
     */
    OptionalLong expire(long nowMs) throws Exception {
        MinutesOver over = MinutesOver.of(minutes.entries(), keptMs, nowMs);
        for (Long start : over.starts()) {
            minutes.remove(start);
            analysed.remove(start);
        }
        if (analysed.isEmpty()) {
            newestAnalysed.clear();
        }
        expireHours(nowMs);
        return over.nextLookMs();
    }

    private void expireHours(long nowMs) throws Exception {
        // What is read long after it was measured may still be looked back on by its neighbours.
        dropHours(minutes.isEmpty() ? nowMs : nowMs - keptMs);
        if (hours.isEmpty()) {
            revision.clear();
        }
    }

    private void dropHours(long nowMs) throws Exception {
        List<Long> ended = new ArrayList<>();
        for (Long hour : hours.keys()) {
            if (hourEndsMs(hour) <= nowMs) {
                ended.add(hour);
            }
        }
        for (Long hour : ended) {
            hours.remove(hour);
        }
    }
}
