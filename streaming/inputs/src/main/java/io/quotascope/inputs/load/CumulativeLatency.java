package io.quotascope.inputs.load;

import io.quotascope.domain.load.LatencyCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Requests up to each bound, as Prometheus' histograms and our CSV state them, to requests in each
 * bucket.
 */
final class CumulativeLatency {
    /** The bound of all requests. */
    static final long OPEN = Long.MAX_VALUE;

    private CumulativeLatency() {}

    /**
     * Buckets of counts up to their bounds.
     *
     * @param upTo requests by bound, microseconds; {@link #OPEN} holds all of them
     * @throws IllegalArgumentException when counts fall or the open bound is missing
     */
    static LatencyCounts buckets(Map<Long, Long> upTo) {
        if (upTo.isEmpty()) {
            return LatencyCounts.NONE;
        }
        SortedMap<Long, Long> ordered = new TreeMap<>(upTo);
        if (ordered.lastKey() != OPEN) {
            throw new IllegalArgumentException(
                    "the latency bucket without a bound (inf) is missing");
        }
        if (ordered.size() == 1) {
            return LatencyCounts.NONE;
        }
        List<Long> bounds = new ArrayList<>();
        List<Long> requests = new ArrayList<>();
        long before = 0;
        for (Map.Entry<Long, Long> each : ordered.entrySet()) {
            if (each.getValue() < before) {
                throw new IllegalArgumentException(
                        "latency counts are cumulative and must not fall: " + ordered.values());
            }
            if (each.getKey() != OPEN) {
                bounds.add(each.getKey());
            }
            requests.add(each.getValue() - before);
            before = each.getValue();
        }
        return new LatencyCounts(bounds, requests);
    }
}
