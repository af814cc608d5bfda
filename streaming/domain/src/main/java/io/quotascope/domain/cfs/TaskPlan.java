package io.quotascope.domain.cfs;

import java.util.List;

/**
 * One thread: it wakes, works through its bursts, and begins again as often as planned.
 *
 * @param startUs instant of the first wake-up
 * @param bursts at least one
 * @param cycles how often the bursts are worked through
 */
public record TaskPlan(long startUs, List<Burst> bursts, int cycles) {
    /**
     * CPU time, then sleep.
     *
     * @param cpuUs CPU time wanted, at least 1
     * @param sleepUs wall time between the end of this burst and the wake-up for the next
     */
    public record Burst(long cpuUs, long sleepUs) {
        /**
         * Some work and no negative sleep.
         *
         * @throws IllegalArgumentException otherwise
         */
        public Burst {
            Ranges.atLeast(1, cpuUs, "cpuUs");
            Ranges.atLeast(0, sleepUs, "sleepUs");
        }
    }

    /**
     * A plan with something to do.
     *
     * @throws IllegalArgumentException when it has no burst, no cycle or a negative start
     */
    public TaskPlan {
        bursts = List.copyOf(bursts);
        Ranges.atLeast(0, startUs, "startUs");
        Ranges.atLeast(1, bursts.size(), "bursts");
        Ranges.atLeast(1, cycles, "cycles");
    }

    /** A thread that works once. */
    public static TaskPlan once(long startUs, long cpuUs) {
        return new TaskPlan(startUs, List.of(new Burst(cpuUs, 0)), 1);
    }
}
