package io.quotascope.jobs.alerts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.state.Idle;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Alerts about services and classes. Readings of one kind come in the order of their minutes;
 * repetitions of a minute change nothing, because an alert never looks at a minute twice.
 *
 * <p>State of a service and class: its book of alerts and the last reading's identity, below 2 KB;
 * it ends when nothing was heard for so long that the service is taken for gone.
 */
public final class ServiceAlertsFunction
        extends KeyedProcessFunction<String, ServiceReadings, ThrottlingAlert> {
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
     * @param forgottenMs silence after which a service is taken for gone, milliseconds
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
            ServiceReadings readings, Context context, Collector<ThrottlingAlert> out)
            throws Exception {
        AlertBook before = book.value() == null ? AlertBook.EMPTY : book.value();
        AlertBook.Outcome outcome =
                before.judge(
                        readings.subject(),
                        readings.context(),
                        readings.minuteUs(),
                        readings.readings(),
                        made);
        book.update(outcome.book());
        last.update(
                new ServiceReadings(
                        readings.subject(),
                        readings.context(),
                        readings.minuteUs(),
                        java.util.List.of()));
        idle.heard(context.timestamp(), context.timerService());
        outcome.alerts().forEach(out::collect);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ThrottlingAlert> out)
            throws Exception {
        if (!idle.endsAt(timestamp, context.timerService())) {
            return;
        }
        book.value()
                .close(
                        last.value().subject(),
                        last.value().context(),
                        WindowPart.minuteOf(timestamp * 1000),
                        made,
                        "nothing was heard of the service for so long that it is taken for gone")
                .forEach(out::collect);
        book.clear();
        last.clear();
    }
}
