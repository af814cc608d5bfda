package io.quotascope.domain.cfs.service;

import java.util.Arrays;

/**
 * One request as a person sees it: it is answered when all its tasks are done.
 *
 * @param arrivesUs instant of the first attempt, microseconds
 * @param taskWorkUs work of each parallel task, microseconds of CPU time, each at least 1
 * @param pool number of the pool that works on it, from 0
 */
public record Request(long arrivesUs, long[] taskWorkUs, int pool) {
    /**
     * A request that needs something.
     *
     * @throws IllegalArgumentException when it has no task, a task without work, or arrives before
     *     0
     */
    public Request {
        taskWorkUs = taskWorkUs.clone();
        if (arrivesUs < 0
                || taskWorkUs.length == 0
                || Arrays.stream(taskWorkUs).anyMatch(us -> us < 1)) {
            throw new IllegalArgumentException(
                    "no such request: at " + arrivesUs + ", tasks " + Arrays.toString(taskWorkUs));
        }
    }

    /** A request to the first pool. */
    public Request(long arrivesUs, long[] taskWorkUs) {
        this(arrivesUs, taskWorkUs, 0);
    }

    /** Work of all tasks, microseconds. */
    public long workUs() {
        return Arrays.stream(taskWorkUs).sum();
    }
}
