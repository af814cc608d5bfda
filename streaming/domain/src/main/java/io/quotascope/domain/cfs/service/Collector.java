package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;

/**
 * Stops the workers, waits until none is at a task, collects on all its threads, lets them go on.
 */
final class Collector {
    private final Collections plan;
    private final Workers workers;
    private final int firstThread;
    private long beginsAtUs;
    private boolean waiting;
    private int collecting;

    Collector(Collections plan, Workers workers, int firstThread) {
        this.plan = plan;
        this.workers = workers;
        this.firstThread = firstThread;
        beginsAtUs = plan.everyUs();
    }

    long actsAtUs() {
        return waiting && workers.allIdle() ? 0 : beginsAtUs;
    }

    void act(long nowUs, Workload.Wakeups wakeups) {
        if (beginsAtUs <= nowUs) {
            beginsAtUs = Workload.NEVER;
            waiting = true;
            workers.stop();
        }
        if (waiting && workers.allIdle()) {
            waiting = false;
            collecting = plan.threads();
            for (int thread = 0; thread < plan.threads(); thread++) {
                wakeups.wake(firstThread + thread, plan.burnUs());
            }
        }
    }

    /** A collecting thread is done. */
    void finished(long nowUs) {
        collecting--;
        if (collecting == 0) {
            workers.goOn();
            beginsAtUs = nowUs + plan.everyUs();
        }
    }
}
