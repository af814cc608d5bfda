package io.quotascope.jobs.io.state;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.TimerService;

/**
 * Tells when a key has been silent for so long that its state ends, with one timer a key whatever
 * it says in the meantime.
 */
public final class Idle {
    private final ValueState<Tuple2<Long, Long>> state;
    private final long keptMs;

    /**
     * @param context of the function
     * @param keptMs silence after which state ends, milliseconds
     */
    public Idle(RuntimeContext context, long keptMs) {
        this.keptMs = keptMs;
        this.state =
                context.getState(
                        new ValueStateDescriptor<>(
                                "heard-and-looked-at", Types.TUPLE(Types.LONG, Types.LONG)));
    }

    /** The key was heard at an instant of the log. */
    public void heard(long atMs, TimerService timers) throws Exception {
        Tuple2<Long, Long> known = state.value();
        if (known == null) {
            state.update(Tuple2.of(atMs, atMs + keptMs));
            timers.registerEventTimeTimer(atMs + keptMs);
        } else if (atMs > known.f0) {
            state.update(Tuple2.of(atMs, known.f1));
        }
    }

    /** Whether the key's state ends with this timer. */
    public boolean endsAt(long timestamp, TimerService timers) throws Exception {
        Tuple2<Long, Long> known = state.value();
        if (known == null || known.f1 != timestamp) {
            return false;
        }
        if (known.f0 + keptMs <= timestamp) {
            state.clear();
            return true;
        }
        state.update(Tuple2.of(known.f0, known.f0 + keptMs));
        timers.registerEventTimeTimer(known.f0 + keptMs);
        return false;
    }
}
