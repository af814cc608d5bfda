package io.quotascope.jobs.verification;

import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.verification.HourHistory;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;

/** Requests of all services of a cluster, an entry for each service and day (UTC). */
final class RequestHours implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final long DAY_US = 24 * HourLoad.HOUR_US;

    private transient MapState<String, RequestDay> days;

    void open(RuntimeContext context) {
        days =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "requests",
                                Types.STRING,
                                new ByteFormType<>(new RequestDayForm())));
    }

    private static long dayOf(long instantUs) {
        return Math.floorDiv(instantUs, DAY_US) * DAY_US;
    }

    /** The day comes first, in a fixed width; a service has any name. */
    private static String key(long dayUs, String service) {
        return String.format("%020d", dayUs) + service;
    }

    /** Takes a minute over, unless its day is over already. */
    void add(ServiceLoad minute, long endMs, TimerService timers) throws Exception {
        if (endMs <= timers.currentWatermark()) {
            return;
        }
        long dayUs = dayOf(minute.windowStartUs());
        String key = key(dayUs, minute.service());
        RequestDay before = days.get(key);
        days.put(key, (before == null ? RequestDay.none(dayUs) : before).plus(minute));
        timers.registerEventTimeTimer(endMs);
    }

    /** What is known of one service; each of its days is read from state once. */
    HourHistory.Requests of(String service) {
        Map<Long, Optional<RequestDay>> read = new HashMap<>();
        return hourStartUs ->
                read.computeIfAbsent(dayOf(hourStartUs), dayUs -> day(dayUs, service))
                        .flatMap(day -> day.of(hourStartUs));
    }

    private Optional<RequestDay> day(long dayUs, String service) {
        try {
            return Optional.ofNullable(days.get(key(dayUs, service)));
        } catch (Exception e) {
            throw new IllegalStateException("requests cannot be read from state", e);
        }
    }

    /** Forgets the days that are over. */
    void end(LongPredicate isOver) throws Exception {
        removeIf(days, day -> isOver.test(day.dayUs()));
    }

    /** Key by key: removing by the iterator would leave an empty map behind. */
    static <V> void removeIf(MapState<String, V> state, Predicate<V> isOver) throws Exception {
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, V> entry : state.entries()) {
            if (isOver.test(entry.getValue())) {
                gone.add(entry.getKey());
            }
        }
        for (String key : gone) {
            state.remove(key);
        }
    }
}
