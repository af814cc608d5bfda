package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * What every judging job does with state and time: merges the parts of each minute of one service
 * and class as they arrive, drops repetitions, joins the catalog entry in force and hands on the
 * judgement of the merge. Nothing waits for time; timers only end state.
 *
 * <p>A minute is kept {@link #KEPT_MS} (and what a job adds) after its end, or after the last row
 * about it when that came later, by the clock of the topic: a collector's spool of 6 h 30 min, a
 * part of 15 min and a minute on the way. While the rows of its service have not come as far, it is
 * kept on for up to {@link RowsToCome#BEHIND_MS_MAX}.
 *
 * @param <J> the judgement
 * @param <O> the form in which it leaves
 */
public abstract class JudgingFunction<J, O>
        extends KeyedBroadcastProcessFunction<String, ServiceWindow, ServiceCatalogEntry, O> {
    private static final long serialVersionUID = 1L;

    static final long KEPT_MS = WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS + 60_000;

    /** How state becomes bytes, and the broadcast catalog that all judging jobs describe alike. */
    public record StateTypes(
            TypeInformation<MergedParts> minute, TypeInformation<ServiceCatalogEntry> entry)
            implements Serializable {

        /**
         * Catalog entries by {@link ServiceCatalogEntry#topicKey()}. They end when they are
         * withdrawn: the catalog is as large as the list of services.
         */
        public MapStateDescriptor<String, ServiceCatalogEntry> catalog() {
            return new MapStateDescriptor<>("service-catalog", Types.STRING, entry);
        }
    }

    /**
     * How a judgement leaves, given by the topology, because no function knows a wire format; it
     * runs on the task managers.
     */
    public interface Form<J, O> extends Serializable {
        O of(J judgement);
    }

    private final StateTypes types;
    private final Form<J, O> form;
    private final long revision;
    private final long keptMs;
    private transient MapState<Long, MergedParts> minutes;
    private transient DecodedMinutes decoded;
    private transient Counter judged;
    private transient Counter repetitions;

    /**
     * @param types how state becomes bytes
     * @param form how judgements leave
     * @param revision reprocessing revision of the judgements, at least
     * @param keptLongerMs how much longer than its own parts need it a minute is used by later
     *     minutes, milliseconds
     */
    protected JudgingFunction(StateTypes types, Form<J, O> form, long revision, long keptLongerMs) {
        this.types = types;
        this.form = form;
        this.revision = revision;
        this.keptMs = KEPT_MS + keptLongerMs;
    }

    /** The judgement of the minute that a row was just merged into. */
    protected abstract J judge(ServiceWindow row, Minutes merged, CatalogView catalog)
            throws Exception;

    /**
     * Called with every row that is no repetition, before it is judged, for jobs that keep more
     * than minutes.
     *
     * @param first whether its minute held nothing before
     * @param minute sums of the minute with the row
     */
    protected void merged(
            ServiceWindow row, boolean first, ServiceSums minute, ReadOnlyContext context)
            throws Exception {}

    /** The merged minutes of the service and class at hand. */
    protected interface Minutes {
        /**
         * The sums of all parts of a minute that have arrived at the row's revision; absent if none
         * has.
         */
        Optional<ServiceSums> at(long windowStartUs) throws Exception;
    }

    @Override
    public void open(OpenContext context) {
        minutes =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>("minutes", Types.LONG, types.minute()));
        decoded =
                new DecodedMinutes(
                        keptMs > KEPT_MS ? DecodedMinutes.LOOKING_BACK : DecodedMinutes.AT_HAND);
        judged = getRuntimeContext().getMetricGroup().counter("rows_judged");
        repetitions = getRuntimeContext().getMetricGroup().counter("rows_repeated");
    }

    @Override
    public void processElement(ServiceWindow row, ReadOnlyContext context, Collector<O> out)
            throws Exception {
        long start = row.sums().windowStartUs();
        Optional<MergedParts> before = Optional.ofNullable(minutes.get(start));
        Optional<MergedParts> merged =
                before.isPresent()
                        ? before.get().plus(row, context.timestamp())
                        : Optional.of(MergedParts.of(row, context.timestamp()));
        if (merged.isEmpty()) {
            repetitions.inc();
            return;
        }
        minutes.put(start, merged.get());
        context.timerService().registerEventTimeTimer(merged.get().lastMovedMs() + keptMs);
        if (before.isEmpty()) {
            decoded.put(merged.get(), row.sums());
        }
        merged(row, before.isEmpty(), decoded.of(merged.get()), context);
        ServiceKey key = row.sums().key();
        ServiceCatalogEntry entry =
                context.getBroadcastState(types.catalog())
                        .get(ServiceCatalogEntry.topicKey(key.cluster(), key.service()));
        // The topic's key joins two names with a slash, which a name may contain too.
        Optional<ServiceCatalogEntry> known =
                Optional.ofNullable(entry).filter(found -> found.cluster().equals(key.cluster()));
        CatalogView catalog = new CatalogView(known, Math.max(revision, row.revision()));
        out.collect(form.of(judge(row, at -> known(at, row.revision()), catalog)));
        judged.inc();
    }

    /**
     * A minute as far as it is known at a revision: what a smaller one left of a minute that is
     * still to be computed anew had not arrived when the log was read for the first time.
     */
    private Optional<ServiceSums> known(long windowStartUs, long atRevision) throws Exception {
        return Optional.ofNullable(minutes.get(windowStartUs))
                .filter(parts -> parts.revision() >= atRevision)
                .map(decoded::of);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        MinutesOver over = MinutesOver.of(minutes.entries(), keptMs, timestamp);
        for (Long start : over.starts()) {
            minutes.remove(start);
        }
        over.nextLookMs().ifPresent(context.timerService()::registerEventTimeTimer);
    }

    @Override
    public void processBroadcastElement(
            ServiceCatalogEntry entry, Context context, Collector<O> out) throws Exception {
        ServiceCatalogEntry known =
                context.getBroadcastState(types.catalog()).get(entry.topicKey());
        if (known != null && known.catalogVersion() > entry.catalogVersion()) {
            return;
        }
        if (entry.deleted()) {
            context.getBroadcastState(types.catalog()).remove(entry.topicKey());
        } else {
            context.getBroadcastState(types.catalog()).put(entry.topicKey(), entry);
        }
    }
}
