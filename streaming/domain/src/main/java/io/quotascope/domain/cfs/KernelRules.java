package io.quotascope.domain.cfs;

import java.util.OptionalLong;

/**
 * Constants and switches of bandwidth control. All times are microseconds.
 *
 * @param bandwidthSliceUs runtime that a CPU draws from the pool at once
 * @param keptUs runtime that a CPU keeps when its last task leaves
 * @param slackDelayUs from a return of runtime to its redistribution
 * @param refreshGuardUs no redistribution when the next refill is nearer than this
 * @param grantUs runtime above its debt that a throttled CPU gets to run again; 1 ns in the kernel
 * @param tickUs running CPUs are charged at multiples of this; absent = charged exactly when their
 *     runtime ends
 * @param slicesExpire runtime drawn in an earlier period is lost (kernels 4.18 to 5.3)
 * @param departure what an exactly used up CPU does when its last task leaves
 */
public record KernelRules(
        long bandwidthSliceUs,
        long keptUs,
        long slackDelayUs,
        long refreshGuardUs,
        long grantUs,
        OptionalLong tickUs,
        boolean slicesExpire,
        Departure departure) {
    /** Defaults of kernels from 5.4 on, charged exactly. */
    public static final KernelRules EXACT =
            new KernelRules(
                    5_000, 1_000, 5_000, 2_000, 1, OptionalLong.empty(), false, Departure.KERNEL);

    /**
     * Rules that a kernel could have.
     *
     * @throws IllegalArgumentException when a time is outside its range
     */
    public KernelRules {
        Ranges.atLeast(1, bandwidthSliceUs, "bandwidthSliceUs");
        Ranges.atLeast(0, keptUs, "keptUs");
        Ranges.atLeast(1, slackDelayUs, "slackDelayUs");
        Ranges.atLeast(0, refreshGuardUs, "refreshGuardUs");
        Ranges.atLeast(1, grantUs, "grantUs");
        tickUs.ifPresent(tick -> Ranges.atLeast(1, tick, "tickUs"));
    }

    /**
     * The same rules on a kernel that charges at timer ticks.
     *
     * @param hertz CONFIG_HZ, a divisor of a million
     * @throws IllegalArgumentException when a tick is no whole number of microseconds
     */
    public KernelRules withTicks(int hertz) {
        if (hertz < 1 || 1_000_000 % hertz != 0) {
            throw new IllegalArgumentException("hertz must divide 1000000: " + hertz);
        }
        return new KernelRules(
                bandwidthSliceUs,
                keptUs,
                slackDelayUs,
                refreshGuardUs,
                grantUs,
                OptionalLong.of(1_000_000 / hertz),
                slicesExpire,
                departure);
    }
}
