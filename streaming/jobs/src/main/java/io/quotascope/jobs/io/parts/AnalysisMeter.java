package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.AnalysisTrigger;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What analyses cost: their number by trigger and by cost, and the CPU time of all of them. Metrics
 * only; no row depends on them.
 */
final class AnalysisMeter {
    /** Upper bounds of the cost of one analysis, microseconds; the last class has none. */
    private static final long[] COSTS_US = {30_000, 100_000, 300_000, 1_000_000, 3_000_000};

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Counter judged;
    private final Counter cpuUs;
    private final Map<AnalysisTrigger, Counter> analyses = new EnumMap<>(AnalysisTrigger.class);
    private final Counter[] costs = new Counter[COSTS_US.length + 1];

    AnalysisMeter(MetricGroup metrics) {
        judged = metrics.counter("rows_judged");
        cpuUs = metrics.counter("analysis_cpu_us");
        for (AnalysisTrigger trigger : AnalysisTrigger.values()) {
            analyses.put(
                    trigger,
                    metrics.counter("analyses_" + trigger.name().toLowerCase(Locale.ROOT)));
        }
        for (int at = 0; at < costs.length; at++) {
            String bound = at < COSTS_US.length ? String.valueOf(COSTS_US[at]) : "more";
            costs[at] = metrics.counter("analyses_cpu_us_up_to_" + bound);
        }
    }

    /** CPU time of this thread, microseconds. */
    static long cpuUs() {
        return THREADS.getCurrentThreadCpuTime() / 1_000;
    }

    void judged() {
        judged.inc();
    }

    void analysed(AnalysisTrigger trigger, long tookUs) {
        analyses.get(trigger).inc();
        cpuUs.inc(tookUs);
        int at = 0;
        while (at < COSTS_US.length && tookUs > COSTS_US[at]) {
            at++;
        }
        costs[at].inc();
    }
}
