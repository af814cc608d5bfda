package io.quotascope.domain.cfs.service;

/**
 * Bursts like those of a garbage collector: no worker begins a task, running tasks are waited for,
 * then all collecting threads burn CPU at once, and then the world goes on.
 *
 * @param everyUs from the end of one collection to the beginning of the next, microseconds
 * @param threads collecting threads
 * @param burnUs work of each of them in one collection, microseconds
 */
public record Collections(long everyUs, int threads, long burnUs) {
    /**
     * A collection that does something.
     *
     * @throws IllegalArgumentException when a value is below 1
     */
    public Collections {
        if (everyUs < 1 || threads < 1 || burnUs < 1) {
            throw new IllegalArgumentException(
                    "no such collections: " + everyUs + ", " + threads + ", " + burnUs);
        }
    }
}
