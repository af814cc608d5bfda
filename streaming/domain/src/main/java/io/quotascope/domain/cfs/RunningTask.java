package io.quotascope.domain.cfs;

/** A thread of the group: where it runs and how much work it has left. */
final class RunningTask {
    private final int number;
    private long left;
    private int cpu;

    RunningTask(int number, int cpu) {
        this.number = number;
        this.cpu = cpu;
    }

    int number() {
        return number;
    }

    int cpu() {
        return cpu;
    }

    void moveTo(int target) {
        cpu = target;
    }

    void assign(long workUs) {
        left = Math.multiplyExact(workUs, CpuCost.UNIT);
    }

    /** Progress until the work is done; not above 0 when it is done. */
    long left() {
        return left;
    }

    void progressed(long progress) {
        left -= progress;
    }
}
