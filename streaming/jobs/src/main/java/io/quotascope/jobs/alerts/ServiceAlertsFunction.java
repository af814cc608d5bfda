package io.quotascope.jobs.alerts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.parts.RowsToCome;
import io.quotascope.jobs.io.state.Idle;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Alerts about services and classes. Readings of one kind come in the order of their minutes;
 * repetitions of a minute change nothing, because an alert never looks at a minute twice.
 *
 * <p>A service is taken for gone when the minutes of others have gone on without it for so long:
 * not the clock of the topic decides, which goes on while the rollup stands, but the rows ({@link
 * RowsTold}). When none come at all, a service is waited for for {@link RowsToCome#BEHIND_MS_MAX}.
 *
 * <p>State of a service and class: its book of alerts and the last reading's identity, below 2 KB;
 * it ends when the service is gone.
 */
public final class ServiceAlertsFunction
        extends KeyedBroadcastProcessFunction<String, ServiceReadings, Long, ThrottlingAlert> {
    private static final long serialVersionUID = 1L;

    private final TypeInformation<AlertBook> bookType;
    private final TypeInformation<ServiceReadings> lastType;
    private final AlertOptions.Rules rules;
    private final long forgottenMs;
    private transient AlertRules made;
    private transient ValueState<AlertBook> book;
    private transient ValueState<ServiceReadings> last;
    private transient Idle idle;

    /**
     * @param bookType how books become bytes
     * @param lastType how readings become bytes
     * @param rules when alerts begin and end
     * @param forgottenMs minutes without the service after which it is taken for gone, milliseconds
     */
    public ServiceAlertsFunction(
            TypeInformation<AlertBook> bookType,
            TypeInformation<ServiceReadings> lastType,
            AlertOptions.Rules rules,
            long forgottenMs) {
        this.bookType = bookType;
        this.lastType = lastType;
        this.rules = rules;
        this.forgottenMs = forgottenMs;
    }

    @Override
    public void open(OpenContext context) {
        made = rules.make();
        book = getRuntimeContext().getState(new ValueStateDescriptor<>("book", bookType));
        last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", lastType));
        idle = new Idle(getRuntimeContext(), forgottenMs);
    }

    @Override
    public void processElement(
            ServiceReadings readings, ReadOnlyContext context, Collector<ThrottlingAlert> out)
            throws Exception {
        ServiceReadings before = last.value();
        // Whoever comes back later than that was gone, whether a timer has said so or not.
        if (before != null && readings.minuteUs() - before.minuteUs() > 1000 * forgottenMs) {
            end(before, out);
        }
        AlertBook.Outcome outcome =
                (book.value() == null ? AlertBook.EMPTY : book.value())
                        .judge(
                                readings.subject(),
                                readings.context(),
                                readings.minuteUs(),
                                readings.readings(),
                                made);
        book.update(outcome.book());
        // Judgements of cliffs follow the windows.
        if (before == null || readings.minuteUs() >= before.minuteUs()) {
            last.update(
                    new ServiceReadings(
                            readings.subject(),
                            readings.context(),
                            readings.minuteUs(),
                            List.of()));
        }
        idle.heard(context.timestamp(), context.timerService());
        outcome.alerts().forEach(out::collect);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ThrottlingAlert> out)
            throws Exception {
        if (idle.endsAt(
                timestamp,
                context.timerService(),
                heardMs -> isAwaited(heardMs, timestamp, context))) {
            end(last.value(), out);
        }
    }

    private boolean isAwaited(long heardMs, long nowMs, OnTimerContext context) throws Exception {
        long closedMs = new WindowPart(last.value().minuteUs(), 0).closesAtMs() + forgottenMs;
        return heardMs + forgottenMs + RowsToCome.BEHIND_MS_MAX > nowMs
                && !RowsTold.wereThere(
                        context.getBroadcastState(RowsTold.descriptor()), closedMs, nowMs);
    }

    /** The minute of the end follows from the rows alone. */
    private void end(ServiceReadings of, Collector<ThrottlingAlert> out) throws Exception {
        book.value()
                .close(
                        of.subject(),
                        of.context(),
                        WindowPart.minuteOf(of.minuteUs() + 1000 * forgottenMs),
                        made,
                        "nothing was heard of the service for so long that it is taken for gone")
                .forEach(out::collect);
        book.clear();
        last.clear();
    }

    @Override
    public void processBroadcastElement(Long step, Context context, Collector<ThrottlingAlert> out)
            throws Exception {
        RowsTold.tell(context.getBroadcastState(RowsTold.descriptor()), step, context.timestamp());
    }
}
