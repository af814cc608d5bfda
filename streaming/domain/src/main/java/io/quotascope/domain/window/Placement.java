package io.quotascope.domain.window;

import java.util.OptionalLong;

/**
 * Where a shard stands: below which limits of the cgroup tree, on how many CPUs, and in the
 * kernel's grid of periods. Each value is absent where it could not be read.
 *
 * @param nearestAncestorBandwidth setting of the first ancestor towards the root that has a quota
 * @param ancestorPeriods periods elapsed at the tightest ancestor
 * @param ancestorThrottledPeriods of those, the ones whose end found it throttled
 * @param ancestorThrottledUs its throttled time summed over CPUs, microseconds
 * @param cpusAllowed CPUs that the cpuset allows
 * @param periodPhaseUs instant of the period ends modulo the period on the monotonic clock,
 *     microseconds
 */
public record Placement(
        Bandwidth nearestAncestorBandwidth,
        OptionalLong ancestorPeriods,
        OptionalLong ancestorThrottledPeriods,
        OptionalLong ancestorThrottledUs,
        OptionalLong cpusAllowed,
        OptionalLong periodPhaseUs) {
    /** Nothing is known, as of a collector that does not say. */
    public static final Placement ABSENT =
            new Placement(
                    Bandwidth.NONE,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
}
