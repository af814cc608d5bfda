package io.quotascope.fleetsim.truth;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.fleetsim.fleet.FleetSettings;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hours after a change as they were and as they would have been without it: the same load, the
 * same minutes of the simulator, the setting of before. No estimator has this.
 */
public final class ChangeEffect {
    private final Map<Long, Hour> hours = new TreeMap<>();

    private static final class Hour {
        private long periods;
        private long throttled;
        private long usageUs;
        private long periodsWithout;
        private long throttledWithout;
        private long usageUsWithout;
    }

    /** Adds a minute after the change. */
    public void add(long minuteUs, ServiceSums with, ServiceSums without) {
        long startUs = Math.floorDiv(minuteUs, FleetSettings.HOUR_US) * FleetSettings.HOUR_US;
        Hour hour = hours.computeIfAbsent(startUs, none -> new Hour());
        hour.periods += with.throttling().periods();
        hour.throttled += with.throttling().throttledPeriods();
        hour.usageUs += with.usage().usageUs();
        hour.periodsWithout += without.throttling().periods();
        hour.throttledWithout += without.throttling().throttledPeriods();
        hour.usageUsWithout += without.usage().usageUs();
    }

    void describe(ArrayNode array) {
        hours.forEach(
                (startUs, hour) ->
                        array.addObject()
                                .put("hour_start_us", startUs)
                                .put("periods", hour.periods)
                                .put("throttled_periods", hour.throttled)
                                .put("usage_us", hour.usageUs)
                                .put("periods_without", hour.periodsWithout)
                                .put("throttled_periods_without", hour.throttledWithout)
                                .put("usage_us_without", hour.usageUsWithout));
    }
}
