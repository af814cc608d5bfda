package io.quotascope.jobs.changes;

import io.quotascope.domain.change.ChangeWatch;
import io.quotascope.domain.change.ServiceShape;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.Idle;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Watches all classes of one service together. A minute is looked at {@link #GATHER_MS} after its
 * first row, by the clock of the topic, when the rows of its other classes have followed; only rows
 * that came in time count, because a change is told once.
 *
 * <p>State of a service: one or two minutes and what it looked like, below 2 KB; it ends after
 * {@link #FORGOTTEN_MS} without a row.
 */
public final class ChangesFunction
        extends KeyedProcessFunction<String, ServiceWindow, ChangeEvent> {
    private static final long serialVersionUID = 1L;

    /** Rows of one minute are appended within seconds of each other. */
    static final long GATHER_MS = 30_000;

    /** A service that comes back later begins anew, without a change. */
    static final long FORGOTTEN_MS = 7L * 86_400_000;

    /** Thresholds as Flink can carry them to the task managers. */
    public interface Policy extends Serializable {
        ChangeWatch.Policy make();
    }

    private final TypeInformation<ServiceShape> shapeType;
    private final TypeInformation<ChangeWatch> watchType;
    private final Policy policy;
    private transient MapState<Long, ServiceShape> minutes;
    private transient MapState<Long, Long> lookedAt;
    private transient ValueState<ChangeWatch> watch;
    private transient ValueState<Tuple3<String, String, String>> names;
    private transient Idle idle;

    /**
     * @param shapeType how a minute becomes bytes
     * @param watchType how what was seen becomes bytes
     * @param policy when a change has settled
     */
    public ChangesFunction(
            TypeInformation<ServiceShape> shapeType,
            TypeInformation<ChangeWatch> watchType,
            Policy policy) {
        this.shapeType = shapeType;
        this.watchType = watchType;
        this.policy = policy;
    }

    @Override
    public void open(OpenContext context) {
        minutes =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("minutes", Types.LONG, shapeType));
        lookedAt =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("looked-at", Types.LONG, Types.LONG));
        watch = getRuntimeContext().getState(new ValueStateDescriptor<>("watch", watchType));
        names =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "names",
                                        Types.TUPLE(Types.STRING, Types.STRING, Types.STRING)));
        idle = new Idle(getRuntimeContext(), FORGOTTEN_MS);
    }

    @Override
    public void processElement(ServiceWindow row, Context context, Collector<ChangeEvent> out)
            throws Exception {
        long minute = row.sums().windowStartUs();
        if (row.part() != 0 || minute <= known().lastMinuteUs()) {
            return;
        }
        ServiceShape shape = minutes.get(minute);
        if (shape == null) {
            shape = ServiceShape.EMPTY;
            long at = context.timestamp() + GATHER_MS;
            lookedAt.put(minute, at);
            context.timerService().registerEventTimeTimer(at);
        }
        minutes.put(minute, shape.with(row.sums()));
        idle.heard(context.timestamp(), context.timerService());
        ServiceKey key = row.sums().key();
        names.update(Tuple3.of(key.origin().name(), key.cluster(), key.service()));
    }

    private ChangeWatch known() throws Exception {
        return watch.value() == null ? ChangeWatch.NONE : watch.value();
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ChangeEvent> out)
            throws Exception {
        TreeMap<Long, ServiceShape> due = new TreeMap<>();
        for (Map.Entry<Long, Long> entry : lookedAt.entries()) {
            if (entry.getValue() <= timestamp) {
                due.put(entry.getKey(), minutes.get(entry.getKey()));
            }
        }
        for (Map.Entry<Long, ServiceShape> entry : due.entrySet()) {
            ChangeWatch.Step step =
                    known().after(service(), entry.getKey(), entry.getValue(), policy.make());
            watch.update(step.next());
            step.events().forEach(out::collect);
            minutes.remove(entry.getKey());
            lookedAt.remove(entry.getKey());
        }
        if (idle.endsAt(timestamp, context.timerService())) {
            watch.clear();
            names.clear();
        }
    }

    private ChangeWatch.Service service() throws Exception {
        Tuple3<String, String, String> of = names.value();
        return new ChangeWatch.Service(Origin.valueOf(of.f0), of.f1, of.f2);
    }
}
