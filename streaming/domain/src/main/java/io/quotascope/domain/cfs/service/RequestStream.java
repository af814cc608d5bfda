package io.quotascope.domain.cfs.service;

import java.util.Optional;

/**
 * Requests in order of arrival, each given out once. What arrives never depends on how the service
 * copes: paired runs of different settings see the same requests.
 */
@FunctionalInterface
public interface RequestStream {
    /** The next request; absent when no more will come before the end of the run. */
    Optional<Request> next();

    /** Requests that were written down. */
    static RequestStream of(Iterable<Request> requests) {
        var iterator = requests.iterator();
        return () -> iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
    }
}
