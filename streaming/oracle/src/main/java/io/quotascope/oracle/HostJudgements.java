package io.quotascope.oracle;

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
import io.quotascope.oracle.Dump.Taken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hours of hosts and what was found about their kernels: every accepted record is put into the look
 * at its hour that it is first part of, and an hour's row is all looks up to its own. Of the looks
 * at an hour while it passes only the last one is a row in the end. A host that was heard and is
 * silent has empty looks.
 */
final class HostJudgements {
    private static final long SILENT_MS = WindowPart.AGE_MS_MAX;

    private final Map<HostKey, TreeMap<HourSlice, HostSpan>> hosts = new HashMap<>();

    /**
     * @param shards accepted records of shards
     * @param reports accepted records of hosts
     * @param clockMs how far the log's clock has come: silent hosts have rows until then
     */
    HostJudgements(List<Taken<ShardWindow>> shards, List<Taken<HostReport>> reports, long clockMs) {
        for (Taken<ShardWindow> shard : shards) {
            long startUs = shard.record().windowStartUs();
            span(HostKey.of(shard.record()), startUs, shard.appendTimeMs())
                    .add(shard.record(), shard.missingBefore());
        }
        for (Taken<HostReport> report : reports) {
            long startUs = report.record().windowStartUs();
            span(HostKey.of(report.record()), startUs, report.appendTimeMs())
                    .add(report.record(), report.missingBefore(), Saturation.DEFAULT);
        }
        hosts.forEach((key, looks) -> fillSilence(key, looks, clockMs));
    }

    /**
     * Marks within {@link #SILENT_MS} of a look at which nothing of the host had come are looks
     * too.
     */
    private static void fillSilence(HostKey key, TreeMap<HourSlice, HostSpan> looks, long clockMs) {
        for (HourSlice look : List.copyOf(looks.keySet())) {
            long untilMs = Math.min(clockMs, look.closesAtMs() + SILENT_MS);
            long mark = HourSlice.nextMarkMs(look.closesAtMs());
            while (mark <= untilMs) {
                looks.putIfAbsent(HourSlice.atMark(mark).orElseThrow(), new HostSpan(key));
                mark = HourSlice.nextMarkMs(mark);
            }
        }
    }

    private HostSpan span(HostKey key, long windowStartUs, long appendTimeMs) {
        return hosts.computeIfAbsent(key, host -> new TreeMap<>())
                .computeIfAbsent(
                        HourSlice.of(windowStartUs, appendTimeMs), look -> new HostSpan(key));
    }

    /** Rows of host_hours at a revision. */
    List<HostHour> hours(long revision) {
        List<HostHour> rows = new ArrayList<>();
        hosts.forEach(
                (key, looks) ->
                        lastLooks(looks).forEach(at -> rows.add(hour(key, looks, at, revision))));
        return rows;
    }

    /**
     * Rows of kernel_findings at a revision. A finding that a later look no longer makes stays, so
     * every look is made, and of each finding the last one counts.
     */
    List<HourOfKernel> findings(long revision) {
        TreeMap<String, HourOfKernel> newest = new TreeMap<>();
        hosts.forEach(
                (key, looks) ->
                        looks.keySet()
                                .forEach(
                                        at ->
                                                HourOfKernel.of(
                                                                hour(key, looks, at, revision),
                                                                merged(key, looks, at).shards())
                                                        .forEach(
                                                                row ->
                                                                        newest.put(
                                                                                place(row), row))));
        return List.copyOf(newest.values());
    }

    private static String place(HourOfKernel row) {
        HostHour hour = row.hour();
        return String.join(
                "\n",
                hour.key().toString(),
                hour.slice().hourStartUs() + "/" + hour.slice().part(),
                row.finding().kernelRelease(),
                row.finding().rule().rule().label());
    }

    /** One look an hour and part: the last. */
    private static List<HourSlice> lastLooks(TreeMap<HourSlice, HostSpan> looks) {
        TreeMap<String, HourSlice> last = new TreeMap<>();
        looks.keySet().forEach(at -> last.put(at.hourStartUs() + "/" + at.part(), at));
        return List.copyOf(last.values());
    }

    private static HostHour hour(
            HostKey key, TreeMap<HourSlice, HostSpan> looks, HourSlice at, long revision) {
        return new HostHour(
                key, at, revision, isHeardBefore(looks, at), merged(key, looks, at).tally());
    }

    private static boolean isHeardBefore(TreeMap<HourSlice, HostSpan> looks, HourSlice at) {
        for (HourSlice look : looks.keySet()) {
            long agoMs = at.closesAtMs() - look.closesAtMs();
            if (look.hourStartUs() < at.hourStartUs()
                    && 0 <= agoMs
                    && agoMs < HostHour.REMEMBERED_MS
                    && looks.get(look).tally().count(HostCounter.HOST_RECORDS) > 0) {
                return true;
            }
        }
        return false;
    }

    private static HostSpan merged(
            HostKey key, TreeMap<HourSlice, HostSpan> looks, HourSlice until) {
        HostSpan merged = new HostSpan(key);
        HourSlice first = new HourSlice(until.hourStartUs(), Long.MIN_VALUE);
        looks.subMap(first, true, until, true).values().forEach(merged::merge);
        return merged;
    }
}
