package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * What every job of analyses does with state and time. The first part of a minute is judged when it
 * arrives; {@link Cadence} says whether that includes an analysis.
 *
 * <p>A late part is judged when all rows that closed with it have arrived, since one host that
 * comes back adds the same part to many minutes and the topic does not order them: a row that
 * closed later says so, because rows of a service arrive in the order of their closing, and else
 * the clock of the log {@link #SETTLED_MS} later. So the order of arrival changes no row.
 *
 * <p>State of one service and class: its minutes of 6 h 46 min and the horizon (2 to 6 KiB each),
 * of each analysed one 220 bytes more, and 361 hours of load (24 bytes each); about 2 MiB at most.
 * What a rollup that lies behind may still need is kept on ({@link RowsToCome}).
 *
 * @param <O> the form in which judgements leave
 */
public abstract class AnalysingFunction<O>
        extends KeyedBroadcastProcessFunction<String, ServiceWindow, Reference, O> {
    private static final long serialVersionUID = 1L;

    /** How long after a late row's append time all rows that closed with it are there. */
    static final long SETTLED_MS = 120_000;

    /**
     * Settings of the domain, as Flink can carry them to the task managers.
     *
     * @param <S> the settings
     */
    public interface Settings<S> extends Serializable {
        S make();
    }

    private final Settings<Cadence> cadence;
    private final int horizonMinutes;
    private final long revision;
    private transient AnalysisState state;
    private transient AnalysisMeter meter;
    private transient Counter repetitions;

    /**
     * @param cadence which minutes are analysed
     * @param horizonMinutes minutes that an analysis looks at
     * @param revision reprocessing revision of the judgements, at least
     */
    protected AnalysingFunction(Settings<Cadence> cadence, int horizonMinutes, long revision) {
        this.cadence = cadence;
        this.horizonMinutes = horizonMinutes;
        this.revision = revision;
    }

    /**
     * Judges a minute.
     *
     * @return what is to be kept of the analysis; empty when there was none
     */
    protected abstract Optional<AnalysedMinute> judge(Turn turn, Collector<O> out) throws Exception;

    @Override
    public void open(OpenContext context) {
        state = new AnalysisState(getRuntimeContext(), horizonMinutes);
        meter = new AnalysisMeter(getRuntimeContext().getMetricGroup());
        repetitions = getRuntimeContext().getMetricGroup().counter("rows_repeated");
    }

    @Override
    public void processElement(ServiceWindow row, ReadOnlyContext context, Collector<O> out)
            throws Exception {
        long start = row.sums().windowStartUs();
        long closesMs = new WindowPart(start, row.part()).closesAtMs();
        if (state.lateClosedBefore(closesMs)) {
            judgeLate(References.in(context), out);
        }
        Optional<MergedParts> merged = state.merge(row, context.timestamp());
        if (merged.isEmpty()) {
            repetitions.inc();
            return;
        }
        for (long timer : state.timersAfter(merged.get())) {
            context.timerService().registerEventTimeTimer(timer);
        }
        if (row.part() == 0) {
            judgeOne(merged.get(), References.in(context), true, out);
        } else {
            long settledMs = context.timestamp() + SETTLED_MS;
            state.putLate(start, closesMs, settledMs);
            context.timerService().registerEventTimeTimer(settledMs);
        }
    }

    private void judgeLate(References references, Collector<O> out) throws Exception {
        for (long start : state.takeLate()) {
            Optional<MergedParts> merged = state.minute(start);
            if (merged.isPresent()) {
                judgeOne(merged.get(), references, false, out);
            }
        }
    }

    private void judgeOne(
            MergedParts merged, References references, boolean onTime, Collector<O> out)
            throws Exception {
        ServiceSums minute = state.sums(merged);
        long start = minute.windowStartUs();
        Optional<Map.Entry<Long, AnalysedMinute>> last = state.analysedUpTo(start);
        Optional<AnalysisTrigger> trigger =
                onTime
                        ? cadence.make().onTime(minute, last.map(AnalysingFunction::before))
                        : cadence.make()
                                .late(minute, last.filter(at -> at.getKey() == start).isPresent());
        Turn turn =
                new Turn(
                        minute,
                        merged.lastPart(),
                        trigger,
                        references.catalog(minute.key(), Math.max(revision, merged.revision())),
                        references.prices(),
                        pastOf(start));
        // A row without an analysis would spend half of its time on asking the clock.
        long began = trigger.isPresent() ? AnalysisMeter.cpuUs() : 0;
        Optional<AnalysedMinute> kept = judge(turn, out);
        if (kept.isPresent()) {
            state.keep(start, kept.get());
        }
        trigger.ifPresent(why -> meter.analysed(why, AnalysisMeter.cpuUs() - began));
        meter.judged();
    }

    private Turn.Past pastOf(long start) {
        return new Turn.Past() {
            @Override
            public SortedMap<Long, ServiceSums> horizon() throws Exception {
                return state.horizon(start);
            }

            @Override
            public LoadPeaks peaks() throws Exception {
                return state.peaks(start + WindowPart.MINUTE_US);
            }

            @Override
            public Optional<AnalysedMinute> lastCliff() throws Exception {
                return state.withCliffUpTo(start);
            }
        };
    }

    private static Cadence.Before before(Map.Entry<Long, AnalysedMinute> last) {
        return new Cadence.Before(last.getKey(), last.getValue().load());
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        if (state.lateSettledBy(timestamp)) {
            judgeLate(References.in(context), out);
        }
        state.expire(timestamp).ifPresent(context.timerService()::registerEventTimeTimer);
    }

    @Override
    public void processBroadcastElement(Reference reference, Context context, Collector<O> out)
            throws Exception {
        References.put(reference, context);
    }
}
