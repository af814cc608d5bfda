package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.RowsToCome;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up the newest estimates of all services of one origin, every ten minutes of the log, for the
 * fleet, each cluster and each team. A total is of the estimates analysed up to its instant.
 *
 * <p>Estimates come by the clock of the topic of rows, which goes on while the rollup stands, and
 * from partitions that are not read evenly; a host that comes back has minutes of hours ago
 * analysed again. So an estimate may come after totals that it belongs to. They are written again,
 * as a greater version, {@link #SETTLED_MS} of the clock later for all that came by then. In the
 * end every total is of all estimates up to its instant, in whatever order they came.
 *
 * <p>State of one origin: of each service and class an estimate of 210 bytes for each instant of
 * the last seven hours of analyses, for which a late part can still come, and one before: 9 KiB, 45
 * MiB for 5,000 services, on the heap twice as much. A class that is not analysed any more ends a
 * day and seven hours of other analyses after its last; an origin that says nothing is waited for
 * by the clock, for as long as the rollup can lie behind. The draws of a total cost 0.1 us a
 * service and draw, 15 s for 30,000 services and three totals each.
 *
 * @param <O> the form in which totals leave
 */
final class TotalsFunction<O> extends KeyedProcessFunction<String, FleetPart, O> {
    private static final long serialVersionUID = 1L;

    /** All estimates that belong with one are there, milliseconds of the clock after it. */
    static final long SETTLED_MS = 180_000;

    private static final long LOOK_STEP_MS = 60_000;
    private static final long CLEAN_STEP_MS = 3_600_000;

    /**
     * How far behind the newest analysis late parts may have minutes analysed again: whole instants
     * and one more, because the newest is known only to lie between two.
     */
    static final long LATE_US =
            FleetInstant.of((WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS) * 1_000)
                    + FleetInstant.INTERVAL_US;

    /** How a total leaves; it runs on the task managers. */
    interface Form<O> extends Serializable {
        O of(FleetTotal total);
    }

    private final Form<O> form;
    private final long turnUs;
    private transient KeptEstimates kept;
    private transient MapState<Long, Long> told;
    private transient MapState<Long, Long> due;
    private transient ValueState<Long> settled;

    /**
     * @param turnUs time between two analyses of one service, microseconds
     */
    TotalsFunction(Form<O> form, long turnUs) {
        this.form = form;
        this.turnUs = turnUs;
    }

    @Override
    public void open(OpenContext context) {
        kept = new KeptEstimates(getRuntimeContext());
        // Instants with an estimate of the ten minutes before: when the last was told, and when
        // their totals are to be written. Up to the settled one nothing is written any more.
        told = instants("told");
        due = instants("due");
        settled = getRuntimeContext().getState(new ValueStateDescriptor<>("settled", Types.LONG));
    }

    private MapState<Long, Long> instants(String name) {
        return getRuntimeContext()
                .getMapState(new MapStateDescriptor<>(name, Types.LONG, Types.LONG));
    }

    private long settledUs() throws Exception {
        Long instantUs = settled.value();
        return instantUs == null ? Long.MIN_VALUE : instantUs;
    }

    @Override
    public void processElement(FleetPart part, Context context, Collector<O> out) throws Exception {
        OptionalLong nextUs = kept.keep(part);
        if (nextUs.isEmpty()) {
            return;
        }
        long instantUs = FleetInstant.of(part.analysedAtUs());
        Long heard = told.get(instantUs);
        if (heard == null || heard < context.timestamp()) {
            told.put(instantUs, context.timestamp());
        }
        long afterUs = Math.max(instantUs - 1, settledUs());
        for (long each : told.keys()) {
            if (each > afterUs && each < nextUs.getAsLong() && !due.contains(each)) {
                long dueMs = dueMs(each, context.timerService().currentWatermark());
                due.put(each, dueMs);
                context.timerService().registerEventTimeTimer(dueMs);
            }
        }
    }

    /** At first when it is settled; again, for everything that comes within the same while. */
    private static long dueMs(long instantUs, long clockMs) {
        long firstMs = instantUs / 1_000 + SETTLED_MS;
        return clockMs < instantUs / 1_000
                ? firstMs
                : Math.max(firstMs, up(clockMs + SETTLED_MS, LOOK_STEP_MS));
    }

    private static long up(long momentMs, long stepMs) {
        return -Math.floorDiv(-momentMs, stepMs) * stepMs;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        takeOver(timestamp);
        TreeSet<Long> ready = new TreeSet<>();
        for (Map.Entry<Long, Long> each : due.entries()) {
            if (each.getValue() <= timestamp) {
                ready.add(each.getKey());
            }
        }
        if (!ready.isEmpty()) {
            Collection<TreeMap<Long, FleetPart>> classes = kept.classes();
            for (long instantUs : ready) {
                for (FleetTotal total :
                        FleetInstant.totals(
                                instantUs, KeptEstimates.upTo(classes, instantUs), turnUs)) {
                    out.collect(form.of(total));
                }
                due.remove(instantUs);
            }
        }
        settle(timestamp);
        long silentMs = heardMs() + RowsToCome.BEHIND_MS_MAX;
        if (kept.last().isEmpty() || silentMs <= timestamp) {
            kept.clear();
            told.clear();
            due.clear();
            settled.clear();
        } else {
            context.timerService().registerEventTimeTimer(up(silentMs, CLEAN_STEP_MS));
        }
    }

    /** A timer of an earlier build, which kept no list of what is due. */
    private void takeOver(long timestamp) throws Exception {
        long instantUs = (timestamp - SETTLED_MS) * 1_000;
        if (FleetInstant.of(instantUs) == instantUs
                && instantUs > settledUs()
                && !told.contains(instantUs)) {
            due.put(instantUs, timestamp);
        }
    }

    /** When the newest of the instants was told of, by the clock. */
    private long heardMs() throws Exception {
        long heardMs = kept.last().orElse(0) / 1_000;
        long newestUs = Long.MIN_VALUE;
        for (Map.Entry<Long, Long> each : told.entries()) {
            if (each.getKey() > newestUs) {
                newestUs = each.getKey();
                heardMs = each.getValue();
            }
        }
        return heardMs;
    }

    /** The instants that no estimate can reach any more, and what only they could ask for. */
    private void settle(long timestamp) throws Exception {
        long reachedUs = settledUs();
        for (Map.Entry<Long, Long> each : told.entries()) {
            if (each.getValue() + SETTLED_MS <= timestamp) {
                reachedUs = Math.max(reachedUs, each.getKey() - LATE_US);
            }
        }
        for (long waiting : due.keys()) {
            reachedUs = Math.min(reachedUs, waiting - FleetInstant.INTERVAL_US);
        }
        if (reachedUs <= settledUs()) {
            return;
        }
        settled.update(reachedUs);
        kept.forget(reachedUs);
        List<Long> over = new ArrayList<>();
        for (long each : told.keys()) {
            if (each <= reachedUs) {
                over.add(each);
            }
        }
        for (long each : over) {
            told.remove(each);
        }
    }
}
