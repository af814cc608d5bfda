package io.quotascope.jobs.intake;

import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.log.Accepted;
import java.io.Serializable;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Lets each record of one run of one agent through once. Sequence numbers rise on the wire, so one
 * number is enough: what is not above it was seen before, what it jumps over was lost.
 *
 * <p>The mark ends {@link #MARK_KEPT_MS} after the last record, by the log's clock. A repetition
 * that comes later is {@code too_old} by the rule of {@link WindowPart#refusalOf} and never gets
 * here, so forgetting the mark forgets nothing.
 *
 * @param <R> kind of record
 */
public final class IntakeFunction<R> extends KeyedProcessFunction<String, Arrival<R>, Accepted<R>> {
    private static final long serialVersionUID = 1L;

    /**
     * The age at which a record is refused, and how far its window may lie ahead of its append
     * time.
     */
    static final long MARK_KEPT_MS = WindowPart.AGE_MS_MAX + WindowPart.AHEAD_MS_MAX;

    /** What the function must know of a record; it runs on the task managers. */
    public interface Identity<R> extends Serializable {
        Sender senderOf(R record);

        long windowStartUsOf(R record);
    }

    private final Identity<R> identity;
    private transient ValueState<Long> mark;
    private transient ValueState<Long> lastAppendMs;
    private transient Counter accepted;
    private transient Counter duplicates;
    private transient Counter gapRecords;
    private transient Counter gapRecordsBeforeFirst;
    private transient Counter appendTimesRaised;

    public IntakeFunction(Identity<R> identity) {
        this.identity = identity;
    }

    @Override
    public void open(OpenContext context) {
        mark = getRuntimeContext().getState(new ValueStateDescriptor<>("mark", Types.LONG));
        lastAppendMs =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("last-append-ms", Types.LONG));
        accepted = Outcomes.counter(getRuntimeContext().getMetricGroup(), Outcomes.ACCEPTED);
        duplicates = Outcomes.counter(getRuntimeContext().getMetricGroup(), Outcomes.DUPLICATE);
        gapRecords = getRuntimeContext().getMetricGroup().counter("gap_records");
        gapRecordsBeforeFirst =
                getRuntimeContext().getMetricGroup().counter("gap_records_before_first");
        appendTimesRaised = getRuntimeContext().getMetricGroup().counter("append_times_raised");
    }

    @Override
    public void processElement(Arrival<R> arrival, Context context, Collector<Accepted<R>> out)
            throws Exception {
        long seq = identity.senderOf(arrival.record()).seq();
        Long seen = markAt(arrival.appendTimeMs());
        if (seen != null && seq <= seen) {
            duplicates.inc();
            return;
        }
        if (seen == null) {
            gapRecordsBeforeFirst.inc(seq);
            context.timerService().registerEventTimeTimer(arrival.appendTimeMs() + MARK_KEPT_MS);
        } else {
            gapRecords.inc(seq - seen - 1);
        }
        mark.update(seq);
        lastAppendMs.update(arrival.appendTimeMs());
        accepted.inc();
        long appendTimeMs =
                notBefore(context.timerService().currentWatermark(), arrival.appendTimeMs());
        WindowPart part = WindowPart.of(identity.windowStartUsOf(arrival.record()), appendTimeMs);
        out.collect(
                new Accepted<>(
                        arrival.framed(),
                        arrival.record(),
                        appendTimeMs,
                        part,
                        missingBefore(seq, seen)));
    }

    /**
     * The mark, unless it is due to be forgotten. When the timer really forgets it depends on other
     * partitions; append times alone do not, so that a replay counts the same gaps.
     */
    private Long markAt(long appendTimeMs) throws Exception {
        Long last = lastAppendMs.value();
        return last == null || appendTimeMs - last > MARK_KEPT_MS ? null : mark.value();
    }

    /** Numbers of the run that never came; of a run that began before the log, that is unknown. */
    private static OptionalLong missingBefore(long seq, Long seen) {
        if (seen != null) {
            return OptionalLong.of(seq - seen - 1);
        }
        return seq == 0 ? OptionalLong.of(0) : OptionalLong.empty();
    }

    /**
     * Append times rise within a partition unless a broker's clock is set back or leadership moves
     * to a slower clock. Such a record would belong to a part that has been written already; it is
     * counted as appended at the log's present time instead, so that it is in a row rather than
     * lost.
     */
    private long notBefore(long watermarkMs, long appendTimeMs) {
        if (appendTimeMs > watermarkMs) {
            return appendTimeMs;
        }
        appendTimesRaised.inc();
        return watermarkMs + 1;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<Accepted<R>> out)
            throws Exception {
        long keptUntilMs = lastAppendMs.value() + MARK_KEPT_MS;
        if (keptUntilMs > timestamp) {
            context.timerService().registerEventTimeTimer(keptUntilMs);
            return;
        }
        mark.clear();
        lastAppendMs.clear();
    }
}
