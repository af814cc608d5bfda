package io.quotascope.jobs.costs;

import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.load.CostEvidence;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.RowsToCome;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.Idle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Brings the work and the requests of a minute together, whichever comes first, and tells every 30
 * minutes of both what they prove. Of a service whose requests nobody counts nothing is kept.
 *
 * <p>State of a service that is counted: work and requests that wait for one another, 150 bytes a
 * minute, as a rule 1 KiB; where requests are imported once a day 216 KiB, and where the rollup
 * lies behind ({@link RowsToCome}) requests of {@link #KEPT_MS}, 80 KiB; 216 bytes of sums. It ends
 * a day after the last count.
 */
final class CostFunction extends KeyedProcessFunction<String, CostReading, ConcurrencyCost> {
    private static final long serialVersionUID = 1L;

    /**
     * All classes of a minute have their row by then, milliseconds after its end or, where the
     * rollup lay behind, after the first of them.
     */
    static final long SETTLED_MS = 300_000;

    /** How long one waits for the other, milliseconds after the minute's start. */
    static final long KEPT_MS = 416 * 60_000L + RowsToCome.BEHIND_MS_MAX;

    private static final long FORGOTTEN_MS = 24 * 3_600_000L;
    private static final long MINUTES_A_RECORD = 30;
    private static final TypeInformation<long[]> LONGS =
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO;

    private transient ValueState<CostEvidence> evidence;
    private transient ValueState<Long> newestUs;
    private transient MapState<Long, long[]> work;
    private transient MapState<Long, Long> requests;
    private transient MapState<Long, Long> settles;
    private transient Idle idle;
    private transient ValueState<Boolean> counted;

    @Override
    public void open(OpenContext context) {
        evidence =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "evidence", new ByteFormType<>(new CostEvidenceForm())));
        newestUs = getRuntimeContext().getState(new ValueStateDescriptor<>("newest", Types.LONG));
        counted =
                getRuntimeContext().getState(new ValueStateDescriptor<>("counted", Types.BOOLEAN));
        work = getRuntimeContext().getMapState(new MapStateDescriptor<>("work", Types.LONG, LONGS));
        requests =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("requests", Types.LONG, Types.LONG));
        settles =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("settles", Types.LONG, Types.LONG));
        idle = new Idle(getRuntimeContext(), FORGOTTEN_MS);
    }

    @Override
    public void processElement(CostReading reading, Context context, Collector<ConcurrencyCost> out)
            throws Exception {
        long minuteUs = reading.minuteUs();
        if (reading.requests() >= 0) {
            counted.update(true);
            idle.heard(Math.max(context.timestamp(), clock(context)), context.timerService());
        }
        // A minute older than its counterpart may be would wait in vain.
        if (counted.value() == null || keptUntilMs(minuteUs) <= clock(context)) {
            return;
        }
        if (reading.requests() >= 0) {
            requests.put(minuteUs, reading.requests());
        } else {
            work.put(minuteUs, sum(work.get(minuteUs), reading.workUs()));
            if (!settles.contains(minuteUs) && settledMs(minuteUs) <= context.timestamp()) {
                settles.put(minuteUs, context.timestamp() + SETTLED_MS);
            }
        }
        context.timerService().registerEventTimeTimer(keptUntilMs(minuteUs));
        Long later = settles.get(minuteUs);
        long settledMs = later == null ? settledMs(minuteUs) : later;
        if (settledMs > clock(context)) {
            context.timerService().registerEventTimeTimer(settledMs);
        } else {
            meet(minuteUs, context, out);
        }
    }

    private static long clock(Context context) {
        return Math.max(0, context.timerService().currentWatermark());
    }

    private static long settledMs(long minuteUs) {
        return (minuteUs + WindowPart.MINUTE_US) / 1_000 + SETTLED_MS;
    }

    private static long keptUntilMs(long minuteUs) {
        return minuteUs / 1_000 + KEPT_MS;
    }

    private static long[] sum(long[] one, long[] other) {
        if (one == null) {
            return other;
        }
        long[] sum = one.clone();
        for (int at = 0; at < sum.length; at++) {
            sum[at] += other[at];
        }
        return sum;
    }

    private void meet(long minuteUs, Context context, Collector<ConcurrencyCost> out)
            throws Exception {
        long[] done = work.get(minuteUs);
        Long asked = requests.get(minuteUs);
        if (done == null || asked == null) {
            return;
        }
        forget(minuteUs);
        context.timerService().deleteEventTimeTimer(keptUntilMs(minuteUs));
        CostEvidence before = evidence.value() == null ? CostEvidence.none() : evidence.value();
        CostEvidence after = before.plus(done, asked);
        if (after == before) {
            return;
        }
        evidence.update(after);
        long endUs = minuteUs + WindowPart.MINUTE_US;
        newestUs.update(newestUs.value() == null ? endUs : Math.max(newestUs.value(), endUs));
        if (after.minutes() % MINUTES_A_RECORD == 0) {
            out.collect(CostTopology.named(context.getCurrentKey(), after, newestUs.value()));
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ConcurrencyCost> out)
            throws Exception {
        if (idle.endsAt(timestamp, context.timerService())) {
            evidence.clear();
            newestUs.clear();
            counted.clear();
            work.clear();
            requests.clear();
            settles.clear();
            return;
        }
        for (long minuteUs : settledAt(timestamp)) {
            meet(minuteUs, context, out);
        }
        forget((timestamp - KEPT_MS) * 1_000);
    }

    /** In the order of their minutes, so that sums are told in the same steps in every run. */
    private List<Long> settledAt(long timestamp) throws Exception {
        List<Long> settled = new ArrayList<>();
        long inTime = (timestamp - SETTLED_MS) * 1_000 - WindowPart.MINUTE_US;
        if (!settles.contains(inTime)) {
            settled.add(inTime);
        }
        for (Map.Entry<Long, Long> late : settles.entries()) {
            if (late.getValue() == timestamp) {
                settled.add(late.getKey());
            }
        }
        settled.sort(null);
        return settled;
    }

    private void forget(long minuteUs) throws Exception {
        work.remove(minuteUs);
        requests.remove(minuteUs);
        settles.remove(minuteUs);
    }
}
