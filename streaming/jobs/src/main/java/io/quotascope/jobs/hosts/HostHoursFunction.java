package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostHour;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.hosts.HostSpan;
import io.quotascope.domain.hosts.HourOfKernel;
import io.quotascope.domain.hosts.HourSlice;
import io.quotascope.domain.hosts.Saturation;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.parts.JudgingFunction.Form;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Adds up the windows of one host and its shards by hour and by when they were appended, and emits
 * the hour anew whenever the clock of the log has passed a mark or a quarter of an hour in which
 * something came: all that was appended until then, and nothing else. A host that was heard within
 * {@link #SILENT_MS} and says nothing has its rows at the marks all the same, so that what is
 * missing of it lowers a completeness for as long as it may come back with what it kept.
 *
 * <p>State of a host: the slices of an hour for {@link #KEPT_MS} after they closed, hence at most
 * eight hours of some 200 bytes a shard and slice.
 *
 * @param <H> the form in which hours leave
 * @param <K> the form in which findings leave
 */
public final class HostHoursFunction<H, K>
        extends KeyedCoProcessFunction<String, Accepted<ShardWindow>, Accepted<HostReport>, H> {
    private static final long serialVersionUID = 1L;

    /** No window of the same hour can be accepted after that. */
    static final long KEPT_MS = HostHour.REMEMBERED_MS;

    /** How long a silent host has rows: as old as what it kept may be when it comes back. */
    static final long SILENT_MS = WindowPart.AGE_MS_MAX;

    private static final TypeInformation<Tuple2<Long, Long>> SLICE =
            Types.TUPLE(Types.LONG, Types.LONG);

    private final TypeInformation<HostSpan> spanType;
    private final Form<HostHour, H> hourForm;
    private final Form<HourOfKernel, K> findingForm;
    private final OutputTag<K> findings;
    private final double saturated;
    private final long revision;
    private transient MapState<Tuple2<Long, Long>, HostSpan> slices;

    /**
     * @param spanType how state becomes bytes
     * @param hourForm how hours leave
     * @param findingForm how findings leave
     * @param findings where findings leave
     * @param saturated share of a host's CPUs from which it counts as saturated
     * @param revision reprocessing revision
     */
    public HostHoursFunction(
            TypeInformation<HostSpan> spanType,
            Form<HostHour, H> hourForm,
            Form<HourOfKernel, K> findingForm,
            OutputTag<K> findings,
            double saturated,
            long revision) {
        this.spanType = spanType;
        this.hourForm = hourForm;
        this.findingForm = findingForm;
        this.findings = findings;
        this.saturated = saturated;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        slices =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("slices", SLICE, spanType));
    }

    @Override
    public void processElement1(Accepted<ShardWindow> window, Context context, Collector<H> out)
            throws Exception {
        HourSlice slice = HourSlice.of(window.record().windowStartUs(), window.appendTimeMs());
        HostSpan span = spanOf(slice, HostKey.of(window.record()), context);
        span.add(window.record(), window.missingBefore());
        slices.put(stateKey(slice), span);
    }

    @Override
    public void processElement2(Accepted<HostReport> window, Context context, Collector<H> out)
            throws Exception {
        HourSlice slice = HourSlice.of(window.record().windowStartUs(), window.appendTimeMs());
        HostSpan span = spanOf(slice, HostKey.of(window.record()), context);
        span.add(window.record(), window.missingBefore(), new Saturation(saturated));
        slices.put(stateKey(slice), span);
    }

    private HostSpan spanOf(HourSlice slice, HostKey key, Context context) throws Exception {
        HostSpan span = slices.get(stateKey(slice));
        if (span == null) {
            context.timerService().registerEventTimeTimer(slice.closesAtMs());
            context.timerService().registerEventTimeTimer(slice.closesAtMs() + KEPT_MS);
            return new HostSpan(key);
        }
        return span;
    }

    private static Tuple2<Long, Long> stateKey(HourSlice slice) {
        return Tuple2.of(slice.hourStartUs(), slice.closesAtMs());
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<H> out) throws Exception {
        TreeMap<HourSlice, HostSpan> known = new TreeMap<>();
        for (Map.Entry<Tuple2<Long, Long>, HostSpan> entry : slices.entries()) {
            known.put(new HourSlice(entry.getKey().f0, entry.getKey().f1), entry.getValue());
        }
        HostKey key = known.isEmpty() ? null : known.firstEntry().getValue().key();
        if (key != null && heardUpTo(timestamp, known)) {
            // Records from before the mark are all in, and none may be: then the look is empty.
            HourSlice.atMark(timestamp)
                    .ifPresent(mark -> known.putIfAbsent(mark, new HostSpan(key)));
            context.timerService().registerEventTimeTimer(HourSlice.nextMarkMs(timestamp));
        }
        for (HourSlice slice : known.keySet()) {
            if (slice.closesAtMs() == timestamp) {
                emit(slice, known, context, out);
            }
            if (slice.closesAtMs() + KEPT_MS <= timestamp) {
                slices.remove(stateKey(slice));
            }
        }
    }

    private static boolean heardUpTo(long timestamp, TreeMap<HourSlice, HostSpan> known) {
        return known.keySet().stream()
                .mapToLong(HourSlice::closesAtMs)
                .anyMatch(at -> at <= timestamp && timestamp - at <= SILENT_MS);
    }

    private void emit(
            HourSlice slice,
            TreeMap<HourSlice, HostSpan> known,
            OnTimerContext context,
            Collector<H> out) {
        HostKey key = known.get(slice).key();
        HostSpan merged = new HostSpan(key);
        known.subMap(new HourSlice(slice.hourStartUs(), Long.MIN_VALUE), true, slice, true)
                .values()
                .forEach(merged::merge);
        HostHour hour =
                new HostHour(key, slice, revision, heardBefore(slice, known), merged.tally());
        out.collect(hourForm.of(hour));
        HourOfKernel.of(hour, merged.shards())
                .forEach(finding -> context.output(findings, findingForm.of(finding)));
    }

    /** Slices that are kept by their timer a moment longer than they count do not count. */
    private static boolean heardBefore(HourSlice slice, TreeMap<HourSlice, HostSpan> known) {
        return known.headMap(new HourSlice(slice.hourStartUs(), Long.MIN_VALUE)).entrySet().stream()
                .filter(earlier -> earlier.getKey().closesAtMs() <= slice.closesAtMs())
                .filter(earlier -> slice.closesAtMs() - earlier.getKey().closesAtMs() < KEPT_MS)
                .anyMatch(
                        earlier -> earlier.getValue().tally().count(HostCounter.HOST_RECORDS) > 0);
    }
}
