package io.quotascope.domain.cfs;

import java.util.ArrayDeque;

/**
 * One CPU's run queue of the group (the kernel's cfs_rq): its tasks, its runtime and its
 * throttling. What happened since it was last touched is caught up with by {@link #catchUp}, which
 * every caller does first.
 */
final class RunQueue {
    private static final long NOT_COUNTING = -1;

    private final SimulationClock clock;
    private final int cpu;
    private final ArrayDeque<RunningTask> tasks = new ArrayDeque<>();
    private long caughtUpUs;
    private long caughtUpProgress;
    private long runtimeUs;
    private long unchargedUs;
    private long drawnInPeriod;
    private long turnUs;
    private boolean throttled;
    private long stalledSinceUs = NOT_COUNTING;

    RunQueue(SimulationClock clock, int cpu) {
        this.clock = clock;
        this.cpu = cpu;
    }

    int cpu() {
        return cpu;
    }

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

    void catchUp() {
        if (isRunning()) {
            long elapsedUs = clock.nowUs() - caughtUpUs;
            current().progressed(clock.progress() - caughtUpProgress);
            unchargedUs += elapsedUs;
            turnUs += elapsedUs;
        }
        caughtUpUs = clock.nowUs();
        caughtUpProgress = clock.progress();
    }

    /** Runtime left when the uncharged time is taken off. */
    long leftUs() {
        return runtimeUs - unchargedUs;
    }

    long turnUs() {
        return turnUs;
    }

    /** Takes the uncharged time off the runtime. */
    void settle() {
        runtimeUs -= unchargedUs;
        unchargedUs = 0;
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
