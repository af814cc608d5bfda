package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Threads that work by themselves. */
final class Loops {
    private record WakeUp(long atUs, int thread) {}

    private final List<Loop> plans = new ArrayList<>();
    private final int firstThread;
    private final long[] cycleStartUs;
    private final PriorityQueue<WakeUp> wakeUps =
            new PriorityQueue<>(
                    Comparator.comparingLong(WakeUp::atUs).thenComparingInt(WakeUp::thread));

    Loops(List<Loop> loops, int firstThread) {
        this.firstThread = firstThread;
        for (Loop loop : loops) {
            for (int thread = 0; thread < loop.threads(); thread++) {
                wakeUps.add(new WakeUp(loop.startUs(), plans.size()));
                plans.add(loop);
            }
        }
        cycleStartUs = plans.stream().mapToLong(Loop::startUs).toArray();
    }

    int threads() {
        return plans.size();
    }

    long actsAtUs() {
        return wakeUps.isEmpty() ? Workload.NEVER : wakeUps.peek().atUs();
    }

    void act(long nowUs, Workload.Wakeups wakeups) {
        while (actsAtUs() <= nowUs) {
            int thread = wakeUps.remove().thread();
            wakeups.wake(firstThread + thread, plans.get(thread).burnUs());
        }
    }

    /** A turn is over: the work of the next if there is no pause, else 0. */
    long finished(int thread, long nowUs) {
        int own = thread - firstThread;
        Loop loop = plans.get(own);
        long restUs = loop.sleepUs();
        if (loop.offUs() > 0 && nowUs - cycleStartUs[own] >= loop.onUs()) {
            restUs = Math.max(0, loop.onUs() + loop.offUs() - (nowUs - cycleStartUs[own]));
            cycleStartUs[own] = nowUs + restUs;
        }
        if (restUs == 0) {
            return loop.burnUs();
        }
        wakeUps.add(new WakeUp(nowUs + restUs, own));
        return 0;
    }
}
