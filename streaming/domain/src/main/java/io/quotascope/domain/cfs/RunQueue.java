package io.quotascope.domain.cfs;

import java.util.ArrayDeque;

/**
 * One CPU's run queue of the group (the kernel's cfs_rq): its tasks, its runtime and its
 * throttling.
 */
final class RunQueue {
    private static final long NOT_COUNTING = -1;

    private final ArrayDeque<RunningTask> tasks = new ArrayDeque<>();
    private long runtimeUs;
    private long unchargedUs;
    private long drawnInPeriod;
    private long turnUs;
    private boolean throttled;
    private long stalledSinceUs = NOT_COUNTING;

    boolean isRunning() {
        return !throttled && !tasks.isEmpty();
    }

    boolean isThrottled() {
        return throttled;
    }

    int size() {
        return tasks.size();
    }

    RunningTask current() {
        return tasks.getFirst();
    }

    /** Runtime left when the uncharged time is taken off. */
    long leftUs() {
        return runtimeUs - unchargedUs;
    }

    long turnUs() {
        return turnUs;
    }

    void ran(long elapsedUs) {
        current().ran(elapsedUs);
        unchargedUs += elapsedUs;
        turnUs += elapsedUs;
    }

    /** Takes the uncharged time off the runtime and says what is left. */
    long settle() {
        runtimeUs -= unchargedUs;
        unchargedUs = 0;
        return runtimeUs;
    }

    /** Runtime that was drawn in another period is lost; a debt is not. */
    void expire(long period) {
        if (runtimeUs > 0 && drawnInPeriod != period) {
            runtimeUs = 0;
        }
    }

    void add(long grantedUs, long period) {
        runtimeUs += grantedUs;
        drawnInPeriod = period;
    }

    /** Gives up everything above what is kept. */
    long surrender(long keptUs) {
        long slackUs = Math.max(0, runtimeUs - keptUs);
        runtimeUs -= slackUs;
        return slackUs;
    }

    void throttle(long nowUs) {
        throttled = true;
        countStall(nowUs);
    }

    /** Ends the throttling; the answer is the time that tasks were stalled by it. */
    long unthrottle(long nowUs) {
        long stalledUs = stalledSinceUs == NOT_COUNTING ? 0 : nowUs - stalledSinceUs;
        throttled = false;
        stalledSinceUs = NOT_COUNTING;
        return stalledUs;
    }

    void enqueue(RunningTask task, long nowUs) {
        tasks.addLast(task);
        // A turn is only measured while somebody waits for its end.
        if (tasks.size() <= 2) {
            turnUs = 0;
        }
        countStall(nowUs);
    }

    RunningTask removeCurrent() {
        turnUs = 0;
        return tasks.removeFirst();
    }

    RunningTask removeLast() {
        return tasks.removeLast();
    }

    void rotate() {
        turnUs = 0;
        tasks.addLast(tasks.removeFirst());
    }

    private void countStall(long nowUs) {
        if (throttled && !tasks.isEmpty() && stalledSinceUs == NOT_COUNTING) {
            stalledSinceUs = nowUs;
        }
    }
}
