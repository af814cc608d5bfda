package io.quotascope.jobs.hours;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.hour.HourPart;
import io.quotascope.domain.hour.HourSummary;
import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.CatalogState;
import io.quotascope.jobs.io.parts.RowsToCome;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Merges the rows of each hour of one service and class by the hour's parts and writes a row for a
 * part when it has closed by the log's clock. A row that comes later still, because the rollup
 * lagged, is not lost: the part and those after it are written again, with a greater version, so
 * the table ends the same whatever the delays and the order.
 *
 * <p>State: one tally an hour and part, about 8 KiB (4 KiB of sums and 64 B a row), kept {@link
 * #KEPT_MS} after the hour's end or its last row, and on while the rollup may lie behind ({@link
 * RowsToCome}). That is 8 tallies or 64 KiB a service and class while nothing comes late; a host
 * with a full spool adds at most 27 parts to each of 7 hours, 1.5 MiB, for as long as its records
 * are young enough to be taken.
 *
 * @param <O> the form in which rows leave
 */
public final class HoursFunction<O>
        extends KeyedBroadcastProcessFunction<String, ServiceWindow, ServiceCatalogEntry, O> {
    private static final long serialVersionUID = 1L;

    /** A collector's spool, a part, and time on the way; no row of an hour can follow. */
    static final long KEPT_MS = WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS + 300_000;

    /** How long a closed row may be on its way from the rollup, milliseconds of the log's clock. */
    static final long ON_THE_WAY_MS = 60_000;

    /** How state becomes bytes. */
    public record StateTypes(
            TypeInformation<HourPart> part, TypeInformation<HourTally> tally, CatalogState catalog)
            implements Serializable {}

    /** How a row leaves, given by the topology; it runs on the task managers. */
    public interface Form<O> extends Serializable {
        O of(HourSummary hour);
    }

    private final StateTypes types;
    private final Form<O> form;
    private final long revision;
    private transient MapState<HourPart, HourTally> hours;
    private transient Counter written;
    private transient Counter repetitions;

    /**
     * @param types how state becomes bytes
     * @param form how rows leave
     * @param revision reprocessing revision of the rows, at least
     */
    public HoursFunction(StateTypes types, Form<O> form, long revision) {
        this.types = types;
        this.form = form;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        hours =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>("hours", types.part(), types.tally()));
        written = getRuntimeContext().getMetricGroup().counter("rows_written");
        repetitions = getRuntimeContext().getMetricGroup().counter("rows_repeated");
    }

    @Override
    public void processElement(ServiceWindow row, ReadOnlyContext context, Collector<O> out)
            throws Exception {
        HourPart place = HourPart.of(new WindowPart(row.sums().windowStartUs(), row.part()));
        long rowMs = context.timestamp();
        // Rows that catch up come in crowds; one row is written for those of a minute.
        long dueMs = Math.max(place.closesAtMs(), rowMs) + ON_THE_WAY_MS;
        HourTally before = hours.get(place);
        Optional<HourTally> after =
                before == null
                        ? Optional.of(HourTally.of(row, rowMs, dueMs))
                        : before.plus(row, rowMs, Math.min(before.dueMs(), dueMs));
        if (after.isEmpty()) {
            repetitions.inc();
            return;
        }
        hours.put(place, after.get());
        context.timerService().registerEventTimeTimer(after.get().dueMs());
    }

    private static long endMs(HourPart place, HourTally tally) {
        return Math.max(place.endMs(), tally.lastRowMs()) + KEPT_MS;
    }

    /** Rows leave in the order of their hours and parts, the same in every run. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        TreeMap<HourPart, HourTally> known = new TreeMap<>();
        for (Map.Entry<HourPart, HourTally> entry : hours.entries()) {
            known.put(entry.getKey(), entry.getValue());
        }
        HourPart due = null;
        for (Map.Entry<HourPart, HourTally> entry : known.entrySet()) {
            HourPart place = entry.getKey();
            boolean ownDue = entry.getValue().dueMs() <= timestamp;
            boolean followsDue = due != null && due.hourStartUs() == place.hourStartUs();
            if (ownDue || followsDue && entry.getValue().dueMs() == HourTally.WRITTEN) {
                write(place, known, context, out);
                hours.put(place, entry.getValue().written());
                due = place;
                // Every row leads to a writing, so one timer a writing ends the state.
                context.timerService().registerEventTimeTimer(endMs(place, entry.getValue()));
            }
        }
        end(known, timestamp, context);
    }

    /**
     * Ends hours that no row can follow; those that wait for the rollup alone are looked at again.
     */
    private void end(TreeMap<HourPart, HourTally> known, long nowMs, OnTimerContext context)
            throws Exception {
        RowsToCome rows = new RowsToCome();
        known.values()
                .forEach(
                        tally ->
                                tally.rows()
                                        .keySet()
                                        .forEach(
                                                row ->
                                                        rows.told(
                                                                tally.revision(),
                                                                row.closesAtMs())));
        for (Map.Entry<HourPart, HourTally> entry : known.entrySet()) {
            HourPart place = entry.getKey();
            long lastClosesMs = RowsToCome.lastClosesMs(place.endMs());
            long dueMs = endMs(place, entry.getValue());
            if (rows.isOver(entry.getValue().revision(), lastClosesMs, dueMs, nowMs)) {
                hours.remove(place);
            }
        }
        rows.nextLookMs().ifPresent(context.timerService()::registerEventTimeTimer);
    }

    private void write(
            HourPart place,
            TreeMap<HourPart, HourTally> known,
            OnTimerContext context,
            Collector<O> out)
            throws Exception {
        HourPart first = new HourPart(place.hourStartUs(), 0);
        HourTally last = known.get(place);
        HourSums sums = null;
        for (HourTally tally : known.subMap(first, true, place, true).values()) {
            // Parts of an older revision are about to come again.
            if (tally.revision() == last.revision()) {
                sums = sums == null ? tally.sums() : sums.plus(tally.sums());
            }
        }
        CatalogView catalog =
                types.catalog()
                        .view(
                                context.getBroadcastState(types.catalog().descriptor()),
                                sums.merged().key(),
                                Math.max(revision, last.revision()));
        out.collect(form.of(HourSummary.judge(sums, place.part(), catalog)));
        written.inc();
    }

    @Override
    public void processBroadcastElement(
            ServiceCatalogEntry entry, Context context, Collector<O> out) throws Exception {
        types.catalog().take(entry, context.getBroadcastState(types.catalog().descriptor()));
    }
}
