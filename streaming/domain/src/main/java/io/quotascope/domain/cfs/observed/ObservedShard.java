package io.quotascope.domain.cfs.observed;

import io.quotascope.domain.window.WindowPart;

/**
 * Names and options of an observation.
 *
 * @param service name of the service
 * @param shard name of the shard
 * @param windowStartUs start of the first window, microseconds since the Unix epoch, a whole minute
 * @param threads threads of the shard, as pids.current would say
 * @param exemplars whether every record carries its raw samples
 */
public record ObservedShard(
        String service, String shard, long windowStartUs, long threads, boolean exemplars) {
    /**
     * A start on a minute.
     *
     * @throws IllegalArgumentException otherwise
     */
    public ObservedShard {
        if (WindowPart.minuteOf(windowStartUs) != windowStartUs) {
            throw new IllegalArgumentException("not the start of a minute: " + windowStartUs);
        }
    }

    /** The only shard of a service, from the beginning of time, with exemplars or without. */
    public static ObservedShard of(String service, long threads, boolean exemplars) {
        return new ObservedShard(service, "shard-0", 0, threads, exemplars);
    }
}
