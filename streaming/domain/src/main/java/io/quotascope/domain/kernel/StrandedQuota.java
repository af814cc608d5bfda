package io.quotascope.domain.kernel;

/**
 * Whether usage explains throttling: the behaviour that gives quota-losing kernels away, whatever
 * their version says.
 *
 * <p>A throttled period has handed out its whole quota. On a sound kernel what is handed out is
 * used, or still held by CPUs, so over any observation
 *
 * <pre>throttled_periods x quota <= usage + one quota + cpus x (bandwidth slice + tick)</pre>
 *
 * where one quota allows for the period that the observation cuts, the slice for what CPUs hold at
 * its end, and the tick for use not yet charged. What exceeds the right side was handed out and
 * never used: it expired on idle CPUs. The bound holds for bursts too (they hand out more, not
 * less). It does not hold when the quota was changed within the observation.
 *
 * @param standing the answer
 * @param strandedCoresLow quota handed out and certainly lost, cores; the allowance taken off
 * @param strandedCores the same without the allowance, the better estimate over long observations
 */
public record StrandedQuota(Standing standing, double strandedCoresLow, double strandedCores) {
    /** Largest tick that a kernel can have (CONFIG_HZ=100), microseconds. */
    private static final long TICK_US_MAX = 10_000;

    /** Whether throttling is explained. */
    public enum Standing {
        /** Nobody was throttled: nothing to explain. */
        NOT_THROTTLED,
        /** Usage explains every throttled period. */
        EXPLAINED,
        /** More quota was handed out than was used: some was lost. */
        STRANDED
    }

    /**
     * What was seen of one shard without interruption and without a change of quota.
     *
     * @param quotaUs CPU time handed out in each period, microseconds
     * @param throttledPeriods throttled periods
     * @param usageUs CPU time used, microseconds
     * @param cpus CPUs that may run the shard
     * @param bandwidthSliceUs what a CPU draws at once (5 ms by default), microseconds
     * @param wallUs length of the observation, microseconds, above 0
     */
    public record Observation(
            long quotaUs,
            long throttledPeriods,
            long usageUs,
            int cpus,
            long bandwidthSliceUs,
            long wallUs) {
        /**
         * An observation that took time.
         *
         * @throws IllegalArgumentException when a value is outside its range
         */
        public Observation {
            if (quotaUs < 1 || throttledPeriods < 0 || usageUs < 0 || cpus < 1 || wallUs < 1) {
                throw new IllegalArgumentException(
                        "quotaUs, cpus, wallUs must be positive, counts not negative: "
                                + quotaUs
                                + ", "
                                + cpus
                                + ", "
                                + wallUs
                                + ", "
                                + throttledPeriods
                                + ", "
                                + usageUs);
            }
        }
    }

    /** Judges one observation. */
    public static StrandedQuota of(Observation seen) {
        if (seen.throttledPeriods() == 0) {
            return new StrandedQuota(Standing.NOT_THROTTLED, 0, 0);
        }
        long handedOutUs = Math.multiplyExact(seen.throttledPeriods(), seen.quotaUs());
        long unusedUs = handedOutUs - seen.usageUs();
        long allowedUs = seen.quotaUs() + seen.cpus() * (seen.bandwidthSliceUs() + TICK_US_MAX);
        if (unusedUs <= allowedUs) {
            return new StrandedQuota(Standing.EXPLAINED, 0, 0);
        }
        return new StrandedQuota(
                Standing.STRANDED,
                (unusedUs - allowedUs) / (double) seen.wallUs(),
                unusedUs / (double) seen.wallUs());
    }
}
