package io.quotascope.domain.rank;

import io.quotascope.domain.window.ServiceKey;

/**
 * An offer and the service and class that it is made to.
 *
 * @param key service and class
 * @param revision reprocessing revision under which it was made; 0 where that was not kept
 * @param offer what is said of it
 */
public record ServiceOffer(ServiceKey key, long revision, TuningOffer offer) {}
