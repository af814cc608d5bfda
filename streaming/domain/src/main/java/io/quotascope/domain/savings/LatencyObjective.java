package io.quotascope.domain.savings;

import io.quotascope.domain.whatif.Outcome;

/**
 * When a shard is too slow: the demand-weighted 99th percentile of stalls above half of the
 * objective, or work waits longer than the objective.
 *
 * <p>Of delays two percentiles are asked, for two questions. A change is judged by the slowest
 * hundredth of the work ({@link #keptBy}): that is what owners promise, and one setting is compared
 * with another at the same load. A capacity is judged by the slowest tenth ({@link
 * CapacitySearch}): of two capacities only the ratio is used, at the load where each breaks, and
 * there the 99th percentile of a replay is ruled by the few worst bursts of one recording.
 *
 * @param sloUs latency budget, microseconds, positive
 * @param stated false when the owner states none and the default stands in
 */
public record LatencyObjective(long sloUs, boolean stated) {
    /** 50 ms, where no owner states another. */
    public static final LatencyObjective ASSUMED = new LatencyObjective(50_000, false);

    /**
     * A budget.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public LatencyObjective {
        if (sloUs < 1) {
            throw new IllegalArgumentException("sloUs must be positive: " + sloUs);
        }
    }

    /** Half of it: the longest stall that it allows the slowest hundredth of the work, us. */
    public double stallUsMax() {
        return sloUs / 2.0;
    }

    /**
     * Whether a change keeps stalls and delays of the slowest hundredth of the work within the
     * objective, or, where they are beyond it already, makes them no longer.
     */
    public boolean keptBy(Outcome after, Outcome now) {
        return stallsKept(after, now) && delaysKept(after, now);
    }

    /** The part of it that concerns delays, queueing included. */
    public boolean delaysKept(Outcome after, Outcome now) {
        return after.delay().p99() <= Math.max(sloUs, now.delay().p99());
    }

    private boolean stallsKept(Outcome after, Outcome now) {
        return after.stall().p99() <= Math.max(stallUsMax(), now.stall().p99());
    }
}
