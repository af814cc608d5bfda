package io.quotascope.domain.savings;

/**
 * When a shard is too slow: the demand-weighted 99th percentile of stalls above half of the
 * objective, or the 90th percentile of queueing delay above it.
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
}
