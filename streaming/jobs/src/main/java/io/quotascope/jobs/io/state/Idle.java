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
    /** How soon to look again at a key that is silent but still awaited, milliseconds. */
    static final long LOOK_STEP_MS = 600_000;

    /** Whether a silent key may still say something. */
    public interface Awaited {
        /**
         * @param heardMs when the key was heard last, milliseconds since the Unix epoch
         */
        boolean since(long heardMs) throws Exception;
    }

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
        return endsAt(timestamp, timers, heardMs -> false);
    }

    /** Whether the key's state ends with this timer, unless something more is awaited. */
    public boolean endsAt(long timestamp, TimerService timers, Awaited awaited) throws Exception {
        Tuple2<Long, Long> known = state.value();
        if (known == null || known.f1 != timestamp) {
            return false;
        }
        boolean silent = known.f0 + keptMs <= timestamp;
        if (silent && !awaited.since(known.f0)) {
            state.clear();
            return true;
        }
        long next = silent ? timestamp + LOOK_STEP_MS : known.f0 + keptMs;
        state.update(Tuple2.of(known.f0, next));
        timers.registerEventTimeTimer(next);
        return false;
    }
}
