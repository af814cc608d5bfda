package io.quotascope.domain.cfs.service;

/**
 * Worker threads in front of a first-in first-out queue.
 *
 * @param threads workers
 * @param queueTasks longest queue; a request whose tasks do not all fit is refused at once
 * @param dropsExpired whether a worker drops tasks whose client has already given up. Most servers
 *     do not know, and work for nobody.
 */
public record Pool(int threads, int queueTasks, boolean dropsExpired) {
    /**
     * A pool.
     *
     * @throws IllegalArgumentException when a size is negative
     */
    public Pool {
        if (threads < 0 || queueTasks < 0) {
            throw new IllegalArgumentException("no such pool: " + threads + ", " + queueTasks);
        }
    }

    /** A pool that never learns that clients give up. */
    public static Pool of(int threads, int queueTasks) {
        return new Pool(threads, queueTasks, false);
    }
}
