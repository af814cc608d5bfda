package io.quotascope.validate.estimate;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.OptionalInt;

/**
 * A change that is asked about.
 *
 * @param name as the table spells it
 * @param limit limit in force after the change
 * @param poolThreads size of the thread pool after the change; absent = as it is
 * @param loadMultiple load after the change as a multiple of the observed
 */
public record Scenario(String name, CpuLimit limit, OptionalInt poolThreads, double loadMultiple) {
    /** Another limit and nothing else. */
    public static Scenario limited(String name, CpuLimit limit) {
        return new Scenario(name, limit, OptionalInt.empty(), 1);
    }
}
