package io.quotascope.domain.cfs;

import java.util.Optional;

/** Which CPU a task goes to: simpler than the kernel's balancing, and always the same. */
final class RunPlacement {
    private final RunQueue[] queues;

    RunPlacement(RunQueue[] queues) {
        this.queues = queues;
    }

    /**
     * The CPU a task ran on last if it has no task, else the first without one, else the last
     * again. Like the kernel's wake-up path it does not look at throttling.
     */
    int wakeUpCpu(RunningTask task) {
        if (queues[task.cpu()].size() == 0) {
            return task.cpu();
        }
        for (int cpu = 0; cpu < queues.length; cpu++) {
            if (queues[cpu].size() == 0) {
                return cpu;
            }
        }
        return task.cpu();
    }

    /**
     * The youngest waiting task of the longest queue that runs, for a CPU that has none and is not
     * throttled: nothing moves into or out of throttled queues.
     */
    Optional<RunningTask> steal(int thief) {
        if (queues[thief].size() > 0 || queues[thief].isThrottled()) {
            return Optional.empty();
        }
        RunQueue longest = queues[thief];
        for (RunQueue queue : queues) {
            if (queue.isRunning() && queue.size() > Math.max(1, longest.size())) {
                longest = queue;
            }
        }
        return longest.size() > 1 ? Optional.of(longest.removeLast()) : Optional.empty();
    }
}
