package io.quotascope.validate.alerts;

import io.quotascope.domain.window.ServiceSums;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Rules that others page on, evaluated once a minute. */
public final class PeerRules {
    /** CPUThrottlingHigh of the kubernetes-mixin: 25 % of the periods of 5 minutes. */
    private static final double HIGH = 0.25;

    private static final int RANGE_MINUTES = 5;
    private static final int FOR_MINUTES = 15;
    private static final double ANY = 0.01;
    private static final double UTILIZED = 0.8;

    private PeerRules() {}

    /**
     * What these rules look at in a minute.
     *
     * @param periods periods that elapsed
     * @param throttled periods in which it was throttled
     * @param utilization used cores / quota
     */
    public record Minute(long periods, long throttled, double utilization) {
        /** Of a service with one shard. */
        static Minute of(ServiceSums sums, double quotaCores) {
            double used = sums.usage().usageUs() / (1e7 * sums.reporting().records());
            return new Minute(
                    sums.throttling().periods(),
                    sums.throttling().throttledPeriods(),
                    used / quotaCores);
        }
    }

    /**
     * CPUThrottlingHigh: increase(throttled[5m]) / increase(periods[5m]) > 0.25, for 15 minutes. It
     * fires at the first evaluation that is 15 minutes after the one that found it true first.
     */
    public static Firing throttlingHigh(List<Minute> minutes) {
        List<Boolean> on = new ArrayList<>();
        int held = 0;
        for (int minute = 0; minute < minutes.size(); minute++) {
            held = isHigh(minutes, minute) ? held + 1 : 0;
            on.add(held > FOR_MINUTES);
        }
        return Firing.of(on);
    }

    private static boolean isHigh(List<Minute> minutes, int last) {
        long periods = 0;
        long throttled = 0;
        for (Minute minute : minutes.subList(Math.max(0, last + 1 - RANGE_MINUTES), last + 1)) {
            periods += minute.periods();
            throttled += minute.throttled();
        }
        return throttled > HIGH * periods;
    }

    /** More than 1 % of the periods of the minute throttled. */
    public static Firing anyThrottling(List<Minute> minutes) {
        return each(minutes, minute -> minute.throttled() > ANY * minute.periods());
    }

    /** More than 80 % of the quota used in the minute. */
    public static Firing utilization(List<Minute> minutes) {
        return each(minutes, minute -> minute.utilization() > UTILIZED);
    }

    private static Firing each(List<Minute> minutes, Predicate<Minute> rule) {
        return Firing.of(minutes.stream().map(rule::test).toList());
    }
}
