package io.quotascope.jobs.intake;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.Validation;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Decoded;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads and checks one message after another without any state: what is sound goes on, by the kind
 * of its topic, what is not goes whole to the dead letters with the first thing that is wrong with
 * it. A tick has moved the clock by getting this far and ends here.
 */
public final class AdmissionFunction extends ProcessFunction<LogRecord, Arrival<ShardWindow>> {
    private static final long serialVersionUID = 1L;

    /** Sound records of hosts; those of shards are the main output. */
    public static final OutputTag<Arrival<HostReport>> HOSTS =
            new OutputTag<>("hosts", new ByteFormType<>(new ArrivalForm.OfHosts()));

    private final String hostTopic;
    private transient Map<RefusalReason, Counter> refused;
    private transient Counter ticks;

    /**
     * @param hostTopic the topic of host windows; everything else that is read is shard windows
     */
    public AdmissionFunction(String hostTopic) {
        this.hostTopic = hostTopic;
    }

    @Override
    public void open(OpenContext context) {
        ticks = Outcomes.counter(getRuntimeContext().getMetricGroup(), Outcomes.TICK);
        refused = new EnumMap<>(RefusalReason.class);
        for (RefusalReason reason : RefusalReason.values()) {
            refused.put(
                    reason, Outcomes.counter(getRuntimeContext().getMetricGroup(), reason.label()));
        }
    }

    @Override
    public void processElement(
            LogRecord message, Context context, Collector<Arrival<ShardWindow>> out) {
        if (message.isTick()) {
            ticks.inc();
        } else if (message.topic().equals(hostTopic)) {
            admitHost(message, context);
        } else {
            admitShard(message, context, out);
        }
    }

    private void admitShard(
            LogRecord message, Context context, Collector<Arrival<ShardWindow>> out) {
        Decoded<ShardWindow> decoded = Codecs.SHARD_WINDOWS.decode(message.value());
        if (decoded instanceof Decoded.Refused<ShardWindow> failure) {
            refuse(message, failure.refusal(), context);
            return;
        }
        ShardWindow window = decoded.orElseThrow();
        Optional<Refusal> refusal =
                Validation.of(window)
                        .or(
                                () ->
                                        WindowPart.refusalOf(
                                                window.windowStartUs(), message.appendTimeMs()));
        if (refusal.isPresent()) {
            refuse(message, refusal.get(), context);
        } else {
            out.collect(new Arrival<>(message.value(), window, message.appendTimeMs()));
        }
    }

    private void admitHost(LogRecord message, Context context) {
        Decoded<HostReport> decoded = Codecs.HOST_REPORTS.decode(message.value());
        if (decoded instanceof Decoded.Refused<HostReport> failure) {
            refuse(message, failure.refusal(), context);
            return;
        }
        HostReport report = decoded.orElseThrow();
        Optional<Refusal> refusal =
                Validation.of(report)
                        .or(
                                () ->
                                        WindowPart.refusalOf(
                                                report.windowStartUs(), message.appendTimeMs()));
        if (refusal.isPresent()) {
            refuse(message, refusal.get(), context);
        } else {
            context.output(HOSTS, new Arrival<>(message.value(), report, message.appendTimeMs()));
        }
    }

    private void refuse(LogRecord message, Refusal refusal, Context context) {
        refused.get(refusal.reason()).inc();
        context.output(DecodeFunction.DEAD_LETTERS, new DeadLetter(message, refusal));
    }
}
