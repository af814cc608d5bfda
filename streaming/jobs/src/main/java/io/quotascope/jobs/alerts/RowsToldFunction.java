package io.quotascope.jobs.alerts;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Says of each step of {@link RowsTold} once that rows have come so far. No state: after a restart
 * a step is said again.
 */
public final class RowsToldFunction extends ProcessFunction<ServiceWindow, Long> {
    private static final long serialVersionUID = 1L;

    private transient long said;

    @Override
    public void processElement(ServiceWindow row, Context context, Collector<Long> out) {
        long closesAtMs = new WindowPart(row.sums().windowStartUs(), row.part()).closesAtMs();
        long step = RowsTold.stepOf(closesAtMs);
        if (step > said) {
            said = step;
            out.collect(step);
        }
    }
}
