package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.List;

/**
 * Stops the workers, waits until none is at a task, collects on all its threads, lets them go on.
 */
final class Collector {
    private final Collections plan;
    private final List<Workers> pools;
    private final int firstThread;
    private long beginsAtUs;
    private boolean waiting;
    private int collecting;

    Collector(Collections plan, List<Workers> pools, int firstThread) {
        this.plan = plan;
        this.pools = pools;
        this.firstThread = firstThread;
        beginsAtUs = plan.everyUs();
    }

    long actsAtUs() {
        return waiting && allIdle() ? 0 : beginsAtUs;
    }

    void act(long nowUs, Workload.Wakeups wakeups) {
        if (beginsAtUs <= nowUs) {
            beginsAtUs = Workload.NEVER;
            waiting = true;
            pools.forEach(Workers::stop);
        }
        if (waiting && allIdle()) {
            waiting = false;
            collecting = plan.threads();
            for (int thread = 0; thread < plan.threads(); thread++) {
                wakeups.wake(firstThread + thread, plan.burnUs());
            }
        }
    }

    private boolean allIdle() {
        for (Workers workers : pools) {
            if (!workers.allIdle()) {
                return false;
            }
        }
        return true;
    }

    /** A collecting thread is done. */
    void finished(long nowUs) {
        collecting--;
        if (collecting == 0) {
            pools.forEach(Workers::goOn);
            beginsAtUs = nowUs + plan.everyUs();
        }
    }
}
