package io.quotascope.domain.verification;

import java.util.Optional;

/**
 * Something that happened to a service and may have changed how it behaves.
 *
 * @param cluster named part of the fleet
 * @param service the service
 * @param atUs when, microseconds since the Unix epoch, UTC
 * @param kind what was changed
 * @param recommendationId the accepted recommendation that it carries out; absent when it is none
 */
public record ChangeEvent(
        String cluster, String service, long atUs, Kind kind, Optional<String> recommendationId) {
    /** What was changed. */
    public enum Kind {
        /** A new version of the service. */
        DEPLOY,
        /** Quota or period. */
        QUOTA,
        /** Number of shards. */
        SHARDS,
        /** The hosts' kernel. */
        KERNEL,
        /** Sizes of thread pools. */
        POOLS,
        /** Pinning, or CPUs as a whole. */
        PINNING,
        /** Anything else. */
        OTHER
    }
}
