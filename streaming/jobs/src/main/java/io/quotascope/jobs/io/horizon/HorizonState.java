package io.quotascope.jobs.io.horizon;

import io.quotascope.domain.hour.HourPart;
import io.quotascope.domain.hour.LoadHours;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.ByteFormType;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;

/**
 * The last fifteen days of the service and class at hand, an hour at a time. A job hands it every
 * row once, as {@code JudgingFunction} does, and passes its timers on.
 *
 * <p>State: at most 361 hours of 64 bytes, 23,124 bytes a service and class. It ends {@link
 * #KEPT_MS} after the last row, at the end of a day.
 */
public final class HorizonState {
    /** How long hours are of use after the last row, milliseconds of the log's clock. */
    public static final long KEPT_MS = LoadHours.KEPT_HOURS * (HourPart.HOUR_US / 1000);

    /** Ends are looked for once in so many milliseconds. */
    private static final long END_STEP_MS = 86_400_000L;

    private final ValueState<KeptHours> kept;

    /** The state of the operator at hand. */
    public HorizonState(RuntimeContext context) {
        kept =
                context.getState(
                        new ValueStateDescriptor<>(
                                "load-hours", new ByteFormType<>(new KeptHoursForm())));
    }

    /**
     * Adds a row. The first row of a greater revision begins anew.
     *
     * @param first whether its minute had no row before
     * @param minuteUsageUs CPU time of the minute with this row, microseconds
     * @param rowMs append time of the row, milliseconds since the Unix epoch
     */
    public void add(
            ServiceWindow row, boolean first, long minuteUsageUs, long rowMs, TimerService timers)
            throws Exception {
        KeptHours before = kept.value();
        boolean anew = before == null || row.revision() > before.revision();
        LoadHours hours = anew ? LoadHours.EMPTY : before.hours();
        long lastRowMs = before == null ? rowMs : Math.max(rowMs, before.lastRowMs());
        // One timer a day of rows, and not one a row.
        timers.registerEventTimeTimer(
                -Math.floorDiv(-(lastRowMs + KEPT_MS), END_STEP_MS) * END_STEP_MS);
        kept.update(
                new KeptHours(
                        hours.plus(row.sums(), first || anew, minuteUsageUs),
                        row.revision(),
                        lastRowMs));
    }

    /** The hours so far. */
    public LoadHours hours() throws Exception {
        KeptHours known = kept.value();
        return known == null ? LoadHours.EMPTY : known.hours();
    }

    /** Ends the state when its time has come. */
    public void onTimer(long timestamp) throws Exception {
        KeptHours known = kept.value();
        if (known != null && known.lastRowMs() + KEPT_MS <= timestamp) {
            kept.clear();
        }
    }
}
