package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.ArrayDeque;

/** The pool: first-in first-out tasks for the worker that has been idle longest. */
final class Workers {
    /** What happens when the last task of an attempt is done. */
    @FunctionalInterface
    interface Answer {
        void give(Attempt attempt, long nowUs);
    }

    private record Task(Attempt attempt, long workUs) {}

    private final Pool pool;
    private final int firstThread;
    private final Ledger ledger;
    private final Answer answer;
    private final Attempt[] at;
    private final ArrayDeque<Task> queue = new ArrayDeque<>();
    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    private boolean stopped;

    Workers(Pool pool, int firstThread, Ledger ledger, Answer answer) {
        this.pool = pool;
        this.firstThread = firstThread;
        this.ledger = ledger;
        this.answer = answer;
        at = new Attempt[pool.threads()];
        for (int worker = 0; worker < pool.threads(); worker++) {
            idle.add(worker);
        }
    }

    boolean accept(Attempt attempt) {
        long[] taskWorkUs = attempt.request().taskWorkUs();
        if (queue.size() + taskWorkUs.length > pool.queueTasks()) {
            return false;
        }
        for (long workUs : taskWorkUs) {
            queue.add(new Task(attempt, workUs));
        }
        return true;
    }

    /** A worker is done; the answer is the work of its next task, 0 if it becomes idle. */
    long finished(int thread, long nowUs) {
        int worker = thread - firstThread;
        Attempt attempt = at[worker];
        at[worker] = null;
        if (attempt.taskDone()) {
            answer.give(attempt, nowUs);
        }
        long workUs = begin(worker);
        if (workUs == 0) {
            idle.add(worker);
        }
        return workUs;
    }

    /** No worker begins another task until {@link #goOn}. */
    void stop() {
        stopped = true;
    }

    void goOn() {
        stopped = false;
    }

    boolean allIdle() {
        return idle.size() == pool.threads();
    }

    boolean canBegin() {
        return !stopped && !idle.isEmpty() && !queue.isEmpty();
    }

    /** Idle workers take what waits. */
    void dispatch(Workload.Wakeups wakeups) {
        while (canBegin()) {
            long workUs = begin(idle.peek());
            if (workUs == 0) {
                return;
            }
            wakeups.wake(firstThread + idle.remove(), workUs);
        }
    }

    private long begin(int worker) {
        while (!stopped && !queue.isEmpty()) {
            Task task = queue.remove();
            if (!pool.dropsExpired() || task.attempt().isWaitedFor()) {
                at[worker] = task.attempt();
                return task.workUs();
            }
            ledger.dropped();
        }
        return 0;
    }
}
