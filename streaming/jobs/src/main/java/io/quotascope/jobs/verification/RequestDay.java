package io.quotascope.jobs.verification;

import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.load.ServiceLoad;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests of one service on one day.
 *
 * @param dayUs start of the day, microseconds since the Unix epoch, UTC
 * @param hours what is known, by the start of the hour; not to be written to
 */
record RequestDay(long dayUs, SortedMap<Long, HourLoad> hours) {
    static RequestDay none(long dayUs) {
        return new RequestDay(dayUs, new TreeMap<>());
    }

    RequestDay plus(ServiceLoad minute) {
        TreeMap<Long, HourLoad> after = new TreeMap<>(hours);
        after.compute(
                HourLoad.hourOf(minute.windowStartUs()),
                (start, before) -> before == null ? HourLoad.of(minute) : before.plus(minute));
        return new RequestDay(dayUs, after);
    }

    Optional<HourLoad> of(long hourStartUs) {
        return Optional.ofNullable(hours.get(hourStartUs));
    }
}
