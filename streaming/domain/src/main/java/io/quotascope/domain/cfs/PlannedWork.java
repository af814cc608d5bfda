package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Task plans as a workload: one thread each. */
final class PlannedWork implements Workload {
    private record WakeUp(long atUs, int thread) {}

    private final List<TaskPlan> plans;
    private final List<List<Long>> burstEndsUs = new ArrayList<>();
    private final PriorityQueue<WakeUp> wakeUps =
            new PriorityQueue<>(
                    Comparator.comparingLong(WakeUp::atUs).thenComparingInt(WakeUp::thread));

    PlannedWork(List<TaskPlan> plans) {
        this.plans = List.copyOf(plans);
        for (TaskPlan plan : this.plans) {
            wakeUps.add(new WakeUp(plan.startUs(), burstEndsUs.size()));
            burstEndsUs.add(new ArrayList<>());
        }
    }

    @Override
    public int threads() {
        return plans.size();
    }

    @Override
    public long actsAtUs() {
        return wakeUps.isEmpty() ? NEVER : wakeUps.peek().atUs();
    }

    @Override
    public void act(long nowUs, Wakeups wakeups) {
        while (actsAtUs() <= nowUs) {
            int thread = wakeUps.remove().thread();
            wakeups.wake(thread, burst(thread).cpuUs());
        }
    }

    @Override
    public long finished(int thread, long nowUs) {
        long sleepUs = burst(thread).sleepUs();
        List<Long> ends = burstEndsUs.get(thread);
        ends.add(nowUs);
        TaskPlan plan = plans.get(thread);
        if (ends.size() < (long) plan.bursts().size() * plan.cycles()) {
            wakeUps.add(new WakeUp(nowUs + sleepUs, thread));
        }
        return 0;
    }

    /** For every task the instants at which its bursts ended. */
    List<List<Long>> burstEndsUs() {
        return burstEndsUs;
    }

    private TaskPlan.Burst burst(int thread) {
        List<TaskPlan.Burst> bursts = plans.get(thread).bursts();
        return bursts.get(burstEndsUs.get(thread).size() % bursts.size());
    }
}
