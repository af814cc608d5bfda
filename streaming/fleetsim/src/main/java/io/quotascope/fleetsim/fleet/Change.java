package io.quotascope.fleetsim.fleet;

import io.quotascope.domain.verification.ChangeEvent;

/**
 * Something that was done to a service.
 *
 * @param service name of the service, unique in the fleet
 * @param atUs when, microseconds since the Unix epoch, a whole minute
 * @param kind what was changed
 * @param before setting until then
 * @param after setting from then on; the same for a deploy that changes nothing
 * @param declared whether somebody tells the pipeline; else it has to see it
 */
public record Change(
        String service,
        long atUs,
        ChangeEvent.Kind kind,
        Setting before,
        Setting after,
        boolean declared) {}
