package io.quotascope.domain.cfs.service;

/**
 * Threads that burn, sleep and start again: the fast and slow workers of fibtest, pollers, batch.
 *
 * @param threads threads that do this, each by itself
 * @param burnUs work of one turn, microseconds
 * @param sleepUs pause after it, microseconds
 * @param onUs a thread works so long ...
 * @param offUs ... and rests so long in turn, microseconds; 0 = never rests
 * @param startUs instant at which the threads start, microseconds
 */
public record Loop(int threads, long burnUs, long sleepUs, long onUs, long offUs, long startUs) {
    /**
     * A loop that does something.
     *
     * @throws IllegalArgumentException when a value is outside its range
     */
    public Loop {
        if (threads < 1
                || burnUs < 1
                || Math.min(sleepUs, Math.min(onUs, offUs)) < 0
                || startUs < 0) {
            throw new IllegalArgumentException("no such loop: " + burnUs + ", " + sleepUs);
        }
    }

    /** A loop that never rests. */
    public static Loop steady(int threads, long burnUs, long sleepUs) {
        return new Loop(threads, burnUs, sleepUs, 0, 0, 0);
    }
}
