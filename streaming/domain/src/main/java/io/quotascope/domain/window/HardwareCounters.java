package io.quotascope.domain.window;

import java.util.OptionalLong;

/**
 * Cycles and instructions, split by whether the sample was above quota; absent without hardware
 * counters.
 *
 * @param cyclesBelowQuota CPU cycles in samples at or below quota
 * @param cyclesAboveQuota CPU cycles in samples above quota
 * @param instructionsBelowQuota instructions in samples at or below quota
 * @param instructionsAboveQuota instructions in samples above quota
 */
public record HardwareCounters(
        OptionalLong cyclesBelowQuota,
        OptionalLong cyclesAboveQuota,
        OptionalLong instructionsBelowQuota,
        OptionalLong instructionsAboveQuota) {
    /** Nothing is stated. */
    public static final HardwareCounters ABSENT =
            new HardwareCounters(
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
}
