package io.quotascope.domain.cfs;

import java.util.Optional;

/** Which CPU a task goes to: simpler than the kernel's balancing, and always the same. */
final class RunPlacement {
    private final RunQueue[] queues;
    private final GroupState state;

    RunPlacement(RunQueue[] queues, GroupState state) {
        this.queues = queues;
        this.state = state;
    }

    /**
     * The CPU a task ran on last if it has no task, else the first without one, else the last
     * again. Like the kernel's wake-up path it does not look at throttling.
     */
    int wakeUpCpu(RunningTask task) {
        if (queues[task.cpu()].size() == 0) {
            return task.cpu();
        }
        int empty = state.empty().next(0);
        return empty == CpuSet.NONE ? task.cpu() : empty;
    }

    /**
     * The queue that a CPU without tasks takes one from: the longest that runs, the first of
     * equals. Nothing moves into or out of throttled queues.
     */
    Optional<RunQueue> crowdedQueue() {
        RunQueue longest = null;
        for (int cpu = state.crowded().next(0);
                cpu != CpuSet.NONE;
                cpu = state.crowded().next(cpu + 1)) {
            if (longest == null || queues[cpu].size() > longest.size()) {
                longest = queues[cpu];
            }
        }
        return Optional.ofNullable(longest);
    }
}
