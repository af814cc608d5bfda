package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.List;

/** A task's place in its plan. */
final class RunningTask {
    /** Instant of the next wake-up of a task that is not asleep or has finished. */
    static final long NEVER = Long.MAX_VALUE;

    private final TaskPlan plan;
    private final List<Long> burstEndsUs = new ArrayList<>();
    private long wakesAtUs;
    private long leftUs;
    private int cpu;

    RunningTask(TaskPlan plan, int cpu) {
        this.plan = plan;
        this.cpu = cpu;
        wakesAtUs = plan.startUs();
    }

    long wakesAtUs() {
        return wakesAtUs;
    }

    long leftUs() {
        return leftUs;
    }

    int cpu() {
        return cpu;
    }

    void moveTo(int target) {
        cpu = target;
    }

    void wake() {
        wakesAtUs = NEVER;
        leftUs = burst().cpuUs();
    }

    void ran(long elapsedUs) {
        leftUs -= elapsedUs;
    }

    /** The burst is done: sleep, or stop for good after the last. */
    void endBurst(long nowUs) {
        long sleepUs = burst().sleepUs();
        burstEndsUs.add(nowUs);
        boolean finished = burstEndsUs.size() == (long) plan.bursts().size() * plan.cycles();
        wakesAtUs = finished ? NEVER : nowUs + sleepUs;
    }

    List<Long> burstEndsUs() {
        return burstEndsUs;
    }

    private TaskPlan.Burst burst() {
        return plan.bursts().get(burstEndsUs.size() % plan.bursts().size());
    }
}
