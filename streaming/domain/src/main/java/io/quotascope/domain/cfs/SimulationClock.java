package io.quotascope.domain.cfs;

/**
 * Time, and the progress that every running thread has made since the start: they all advance
 * alike, because what a microsecond of work costs depends only on how many CPUs run.
 */
final class SimulationClock {
    private final long[] progressTable;
    private long nowUs;
    private long progress;

    SimulationClock(CpuCost cost, int cpus) {
        progressTable = cost.progressTable(cpus);
    }

    long nowUs() {
        return nowUs;
    }

    /** In 1/{@link CpuCost#UNIT} microseconds of work. */
    long progress() {
        return progress;
    }

    /** First instant at which the progress reaches a target if so many CPUs run all the while. */
    long reachesUs(long target, int running) {
        long missing = target - progress;
        return nowUs + Math.max(0, -Math.floorDiv(-missing, progressTable[running]));
    }

    void advanceTo(long untilUs, int running) {
        progress += (untilUs - nowUs) * progressTable[running];
        nowUs = untilUs;
    }
}
