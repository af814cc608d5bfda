package io.quotascope.jobs.costs;

import io.quotascope.domain.load.CostEvidence;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceSums;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a minute of one service says: its work, or its requests.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param minuteUs start, microseconds since the Unix epoch
 * @param requests requests that ended in it; negative in a reading of work
 * @param workUs work of one quota class at each candidate; empty in a reading of requests; not to
 *     be written to
 */
record CostReading(
        Origin origin,
        String cluster,
        String service,
        long minuteUs,
        long requests,
        long[] workUs) {
    private static final long[] NONE = {};

    static CostReading of(ServiceSums minute) {
        return new CostReading(
                minute.key().origin(),
                minute.key().cluster(),
                minute.key().service(),
                minute.windowStartUs(),
                -1,
                CostEvidence.workUs(minute));
    }

    static CostReading of(ServiceLoad load) {
        return new CostReading(
                load.origin(),
                load.cluster(),
                load.service(),
                load.windowStartUs(),
                load.requests(),
                NONE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CostReading reading
                && origin == reading.origin
                && cluster.equals(reading.cluster)
                && service.equals(reading.service)
                && minuteUs == reading.minuteUs
                && requests == reading.requests
                && Arrays.equals(workUs, reading.workUs);
    }

    @Override
    public int hashCode() {
        return Objects.hash(origin, cluster, service, minuteUs, requests, Arrays.hashCode(workUs));
    }
}
