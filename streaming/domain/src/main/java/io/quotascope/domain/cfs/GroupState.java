package io.quotascope.domain.cfs;

/** Which CPUs run, are free or are crowded, and how many tasks run or are stalled on them. */
final class GroupState {
    private final CpuSet running;
    private final CpuSet empty;
    private final CpuSet free;
    private final CpuSet crowded;
    private final boolean[] wasRunning;
    private final int[] sizes;
    private int runningCpus;
    private int runnableTasks;
    private int stalledTasks;

    GroupState(int cpus) {
        running = new CpuSet(cpus);
        empty = new CpuSet(cpus);
        free = new CpuSet(cpus);
        crowded = new CpuSet(cpus);
        wasRunning = new boolean[cpus];
        sizes = new int[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            empty.put(cpu, true);
            free.put(cpu, true);
        }
    }

    /** Takes over what a queue is now. */
    void note(RunQueue queue) {
        int cpu = queue.cpu();
        int size = queue.size();
        boolean runs = queue.isRunning();
        if (wasRunning[cpu]) {
            runningCpus--;
            runnableTasks -= sizes[cpu];
        } else {
            stalledTasks -= sizes[cpu];
        }
        if (runs) {
            runningCpus++;
            runnableTasks += size;
        } else {
            stalledTasks += size;
        }
        wasRunning[cpu] = runs;
        sizes[cpu] = size;
        running.put(cpu, runs);
        empty.put(cpu, size == 0);
        free.put(cpu, size == 0 && !queue.isThrottled());
        crowded.put(cpu, runs && size > 1);
    }

    /** CPUs that run a task. */
    CpuSet running() {
        return running;
    }

    /** CPUs without a task, throttled or not. */
    CpuSet empty() {
        return empty;
    }

    /** CPUs without a task that are not throttled. */
    CpuSet free() {
        return free;
    }

    /** CPUs that run a task while others wait for them. */
    CpuSet crowded() {
        return crowded;
    }

    int runningCpus() {
        return runningCpus;
    }

    int runnableTasks() {
        return runnableTasks;
    }

    int stalledTasks() {
        return stalledTasks;
    }
}
