package io.quotascope.jobs.hosts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertContext;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.hosts.HostMemory;
import io.quotascope.domain.hosts.HostMinute;
import io.quotascope.domain.hosts.HostReadings;
import io.quotascope.domain.hosts.Saturation;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.log.Accepted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Alerts about hosts. A minute is judged once, over what was appended in time about it, when the
 * clock of the log has passed 30 s after its end; what comes later changes no alert, because an
 * alert is about now. Silence is judged at fixed ages of a host's last window, by append times
 * alone: a window that comes after such an age finds the judgement made, or makes it first, so that
 * the same log gives the same alerts whatever the order between hosts.
 *
 * <p>State of a host: two or three minutes, the shards of the hour so far (about 200 bytes each)
 * and 2 KB beside; all of it ends when the host is forgotten.
 */
public final class HostAlertsFunction
        extends KeyedCoProcessFunction<
                String, Accepted<ShardWindow>, Accepted<HostReport>, ThrottlingAlert> {
    private static final long serialVersionUID = 1L;
    private static final long MINUTE_MS = WindowPart.MINUTE_US / 1000;

    /** How state becomes bytes. */
    public record StateTypes(
            TypeInformation<HostMinute> minute,
            TypeInformation<HostMemory> memory,
            TypeInformation<AlertBook> book,
            TypeInformation<Speaker> speaker)
            implements java.io.Serializable {}

    private final StateTypes types;
    private final AlertOptions.Rules rules;
    private final double saturated;
    private final long forgottenMs;
    private final long revision;
    private transient AlertRules made;
    private transient Silence silence;
    private transient MapState<Long, HostMinute> minutes;
    private transient ValueState<HostMemory> memory;
    private transient ValueState<AlertBook> book;
    private transient ValueState<Speaker> speaker;

    /**
     * @param types how state becomes bytes
     * @param rules when alerts begin and end
     * @param saturated share of a host's CPUs from which it counts as saturated
     * @param forgottenMs silence after which a host is taken for gone, milliseconds
     * @param revision reprocessing revision
     */
    public HostAlertsFunction(
            StateTypes types,
            AlertOptions.Rules rules,
            double saturated,
            long forgottenMs,
            long revision) {
        this.types = types;
        this.rules = rules;
        this.saturated = saturated;
        this.forgottenMs = forgottenMs;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        made = rules.make();
        List<Long> stages = new ArrayList<>();
        stages.add((long) (made.of(AlertKind.SILENT_HOST).raise() * MINUTE_MS));
        made.of(AlertKind.SILENT_HOST)
                .critical()
                .ifPresent(minutesLong -> stages.add((long) (minutesLong * MINUTE_MS)));
        silence = new Silence(stages, forgottenMs);
        minutes =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>("minutes", Types.LONG, types.minute()));
        memory = getRuntimeContext().getState(new ValueStateDescriptor<>("memory", types.memory()));
        book = getRuntimeContext().getState(new ValueStateDescriptor<>("book", types.book()));
        speaker =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("speaker", types.speaker()));
    }

    @Override
    public void processElement1(
            Accepted<ShardWindow> window, Context context, Collector<ThrottlingAlert> out)
            throws Exception {
        HostKey key = HostKey.of(window.record());
        heard(key, window.appendTimeMs(), context, out);
        if (window.part().part() == 0) {
            HostMinute minute = minuteOf(key, window.part(), context);
            minute.add(window.record());
            minutes.put(window.part().minuteStartUs(), minute);
        }
    }

    @Override
    public void processElement2(
            Accepted<HostReport> window, Context context, Collector<ThrottlingAlert> out)
            throws Exception {
        HostKey key = HostKey.of(window.record());
        heard(key, window.appendTimeMs(), context, out);
        if (window.part().part() == 0) {
            HostMinute minute = minuteOf(key, window.part(), context);
            minute.add(window.record(), new Saturation(saturated));
            minutes.put(window.part().minuteStartUs(), minute);
        }
    }

    private HostMinute minuteOf(HostKey key, WindowPart part, Context context) throws Exception {
        HostMinute minute = minutes.get(part.minuteStartUs());
        if (minute == null) {
            context.timerService().registerEventTimeTimer(part.closesAtMs());
            return new HostMinute(key);
        }
        return minute;
    }

    private void heard(HostKey key, long appendMs, Context context, Collector<ThrottlingAlert> out)
            throws Exception {
        Speaker before = speaker.value();
        if (before == null) {
            speaker.update(new Speaker(key, appendMs));
            registerNext(appendMs, appendMs, context);
            return;
        }
        if (appendMs <= before.lastAppendMs()) {
            return;
        }
        boolean late = judgeSilence(before, before.lastAppendMs(), appendMs, out);
        if (late || firesSilence()) {
            judge(
                    key,
                    WindowPart.minuteOf(appendMs * 1000),
                    List.of(
                            AlertReading.of(
                                    AlertKind.SILENT_HOST, 0, List.of("the host was heard again"))),
                    out);
        }
        speaker.update(new Speaker(key, appendMs));
        if (late) {
            registerNext(appendMs, appendMs, context);
        }
    }

    private boolean firesSilence() throws Exception {
        AlertBook now = book.value();
        return now != null && now.firing().contains(AlertKind.SILENT_HOST);
    }

    private void registerNext(long lastAppendMs, long afterMs, Context context) {
        silence.nextAfter(lastAppendMs, afterMs)
                .ifPresent(at -> context.timerService().registerEventTimeTimer(at));
    }

    /** Judges the silence between two instants; true when there was any. */
    private boolean judgeSilence(
            Speaker last, long afterMs, long untilMs, Collector<ThrottlingAlert> out)
            throws Exception {
        List<Long> due = silence.dueBetween(last.lastAppendMs(), afterMs, untilMs);
        for (long at : due) {
            double minutesLong = (at - last.lastAppendMs()) / (double) MINUTE_MS;
            judge(
                    last.key(),
                    WindowPart.minuteOf(at * 1000),
                    List.of(
                            AlertReading.of(
                                    AlertKind.SILENT_HOST,
                                    minutesLong,
                                    List.of(
                                            "no window of the host or its shards for "
                                                    + Math.round(minutesLong)
                                                    + " minutes; the last was appended at "
                                                    + java.time.Instant.ofEpochMilli(
                                                            last.lastAppendMs())))),
                    out);
        }
        return !due.isEmpty();
    }

    private void judge(
            HostKey key, long minuteUs, List<AlertReading> readings, Collector<ThrottlingAlert> out)
            throws Exception {
        AlertBook before = book.value() == null ? AlertBook.EMPTY : book.value();
        AlertBook.Outcome outcome = before.judge(subject(key), context(), minuteUs, readings, made);
        book.update(outcome.book());
        outcome.alerts().forEach(out::collect);
    }

    private static AlertSubject subject(HostKey key) {
        return AlertSubject.ofHost(key.origin(), key.cluster(), key.hostId());
    }

    private AlertContext context() {
        return AlertContext.of(CatalogView.without(revision));
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ThrottlingAlert> out)
            throws Exception {
        closeMinutes(timestamp, out);
        Speaker last = speaker.value();
        if (last == null) {
            return;
        }
        judgeSilence(last, last.lastAppendMs(), timestamp, out);
        if (last.lastAppendMs() + forgottenMs <= timestamp) {
            forget(last, out);
        } else {
            registerNext(last.lastAppendMs(), timestamp, context);
        }
    }

    private void closeMinutes(long timestamp, Collector<ThrottlingAlert> out) throws Exception {
        TreeMap<Long, HostMinute> closed = new TreeMap<>();
        for (Map.Entry<Long, HostMinute> entry : minutes.entries()) {
            if (new WindowPart(entry.getKey(), 0).closesAtMs() == timestamp) {
                closed.put(entry.getKey(), entry.getValue());
            }
        }
        for (Map.Entry<Long, HostMinute> entry : closed.entrySet()) {
            HostMemory known = memory.value() == null ? new HostMemory() : memory.value();
            known.add(entry.getKey(), entry.getValue());
            memory.update(known);
            judge(
                    entry.getValue().span().key(),
                    entry.getKey(),
                    HostReadings.of(entry.getKey(), entry.getValue(), known),
                    out);
            minutes.remove(entry.getKey());
        }
    }

    private void forget(Speaker last, Collector<ThrottlingAlert> out) throws Exception {
        if (book.value() != null) {
            long minuteUs = WindowPart.minuteOf((last.lastAppendMs() + forgottenMs) * 1000);
            book.value()
                    .close(
                            subject(last.key()),
                            context(),
                            minuteUs,
                            made,
                            "the host was silent for so long that it is taken for gone")
                    .forEach(out::collect);
        }
        book.clear();
        memory.clear();
        speaker.clear();
    }
}
