package io.quotascope.domain.hosts;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.WindowPart;

/**
 * From which use on a host counts as saturated: then one shard's CPU time is another's wait.
 *
 * @param utilization share of the CPUs' time in a window of 10 s, 0..1
 */
public record Saturation(double utilization) {
    /** Nine tenths: what is left is taken by interrupts and by work that cannot be spread. */
    public static final Saturation DEFAULT = new Saturation(0.9);

    /**
     * @throws IllegalArgumentException when it is no share
     */
    public Saturation {
        if (!(utilization > 0 && utilization <= 1)) {
            throw new IllegalArgumentException("saturation is a share: " + utilization);
        }
    }

    /** Whether the host was saturated in a window; steal counts as used, for it cannot be had. */
    public boolean of(HostReport report) {
        if (report.load().usageUs().isEmpty()) {
            return false;
        }
        long takenUs = report.load().usageUs().getAsLong() + report.load().stealUs().orElse(0);
        return takenUs >= utilization * report.shape().cpus() * WindowPart.WINDOW_US;
    }
}
