package io.quotascope.domain.load;

import io.quotascope.domain.window.Origin;
import java.util.OptionalLong;

/**
 * Requests of one service in one minute.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param windowStartUs start of the minute, microseconds since the Unix epoch, UTC
 * @param source which system counted
 * @param requests requests that ended in the minute, retries included
 * @param failures which of them went wrong
 * @param latency requests by latency
 * @param version rises when a minute is imported anew, from 1
 */
public record ServiceLoad(
        Origin origin,
        String cluster,
        String service,
        long windowStartUs,
        String source,
        long requests,
        Failures failures,
        LatencyCounts latency,
        long version) {
    /** Length of a minute, microseconds. */
    public static final long WINDOW_US = 60_000_000L;

    /**
     * What went wrong; absent counts were not counted.
     *
     * @param errors requests that failed, timeouts included
     * @param timeouts requests that their client gave up
     * @param retries requests that were a repetition of one
     */
    public record Failures(OptionalLong errors, OptionalLong timeouts, OptionalLong retries) {
        /** Nothing was counted. */
        public static final Failures NOT_COUNTED =
                new Failures(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

        /**
         * Counts.
         *
         * @throws IllegalArgumentException when one is negative
         */
        public Failures {
            if (errors.orElse(0) < 0 || timeouts.orElse(0) < 0 || retries.orElse(0) < 0) {
                throw new IllegalArgumentException(
                        "errors, timeouts and retries must not be negative");
            }
        }
    }

    /**
     * A minute.
     *
     * @throws IllegalArgumentException when it does not start on the minute, requests are negative
     *     or the version is below 1
     */
    public ServiceLoad {
        if (windowStartUs % WINDOW_US != 0) {
            throw new IllegalArgumentException(
                    "window_start_us must be a full minute: " + windowStartUs);
        }
        if (requests < 0) {
            throw new IllegalArgumentException("requests must not be negative: " + requests);
        }
        if (version < 1) {
            throw new IllegalArgumentException("version must be at least 1: " + version);
        }
    }

    /** Key on topic service-load.v1: origin/cluster/service. */
    public String topicKey() {
        return origin.label() + '/' + cluster + '/' + service;
    }
}
