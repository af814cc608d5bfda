package io.quotascope.jobs.io.log;

import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.Decoded;
import java.io.Serializable;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Messages of a topic of ours as objects. A tick has done its work when it gets here and ends; what
 * cannot be read goes whole to {@link #DEAD_LETTERS}.
 *
 * @param <R> what the topic holds
 */
public final class DecodeFunction<R> extends ProcessFunction<LogRecord, R> {
    private static final long serialVersionUID = 1L;

    /** Messages that are no record of their topic. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters", new ByteFormType<>(new DeadLetterForm()));

    /** Reads one message; it runs on the task managers. */
    public interface Decoder<R> extends Serializable {
        Decoded<R> decode(byte[] framed);
    }

    private final Decoder<R> decoder;
    private transient Counter decoded;
    private transient Counter refused;
    private transient Counter ticks;

    public DecodeFunction(Decoder<R> decoder) {
        this.decoder = decoder;
    }

    @Override
    public void open(OpenContext context) {
        decoded =
                getRuntimeContext()
                        .getMetricGroup()
                        .addGroup("outcome", "accepted")
                        .counter("records");
        refused =
                getRuntimeContext()
                        .getMetricGroup()
                        .addGroup("outcome", "undecodable")
                        .counter("records");
        ticks = getRuntimeContext().getMetricGroup().addGroup("outcome", "tick").counter("records");
    }

    @Override
    public void processElement(LogRecord message, Context context, Collector<R> out) {
        if (message.isTick()) {
            ticks.inc();
            return;
        }
        Decoded<R> result = decoder.decode(message.value());
        if (result instanceof Decoded.Refused<R> failure) {
            refused.inc();
            context.output(DEAD_LETTERS, new DeadLetter(message, failure.refusal()));
            return;
        }
        decoded.inc();
        out.collect(result.orElseThrow());
    }
}
