package io.quotascope.inputs.load;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.load.ServiceLoad.Failures;
import io.quotascope.domain.window.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Minutes of load out of range queries. A value at an instant is the increase of the minute before
 * it, so it belongs to the minute that ends there; increases are extrapolated by Prometheus, hence
 * rounded to whole requests here.
 */
final class PrometheusImport {
    private static final long MINUTE_S = 60;
    private static final long S_US = 1_000_000;

    /** Prometheus refuses more than 11,000 points a series. */
    private static final long MINUTES_PER_QUERY = 1_440;

    /** Asks a server. */
    interface Asking {
        List<PrometheusApi.Series> range(String query, long fromSeconds, long untilSeconds)
                throws IOException, InvalidInputException, InterruptedException;
    }

    private final Asking asking;
    private final PrometheusQueries queries;
    private final Origin origin;
    private final long version;

    PrometheusImport(Asking asking, PrometheusQueries queries, Origin origin, long version) {
        this.asking = asking;
        this.queries = queries;
        this.origin = origin;
        this.version = version;
    }

    /** What was counted of one service in one minute. */
    private static final class Minute {
        private final Map<String, Long> counts = new TreeMap<>();
        private final Map<Long, Long> upTo = new TreeMap<>();
    }

    /**
     * The minutes of all services that begin in a span of time, whole minutes only.
     *
     * @param fromUs begin, inclusive
     * @param untilUs end, exclusive
     */
    List<ServiceLoad> minutes(long fromUs, long untilUs)
            throws IOException, InvalidInputException, InterruptedException {
        Map<String, Map<Long, Minute>> services = new TreeMap<>();
        long first = -Math.floorDiv(-fromUs, MINUTE_S * S_US) * MINUTE_S;
        long end = Math.floorDiv(untilUs, MINUTE_S * S_US) * MINUTE_S;
        for (long from = first; from < end; from += MINUTES_PER_QUERY * MINUTE_S) {
            long until = Math.min(end, from + MINUTES_PER_QUERY * MINUTE_S);
            for (Map.Entry<String, String> query : queries.queries().entrySet()) {
                for (PrometheusApi.Series series :
                        asking.range(query.getValue(), from + MINUTE_S, until)) {
                    take(query.getKey(), series, services);
                }
            }
        }
        List<ServiceLoad> loads = new ArrayList<>();
        services.forEach(
                (service, minutes) ->
                        minutes.forEach(
                                (start, minute) -> {
                                    // A minute without a count of requests is not known to be
                                    // empty.
                                    if (minute.counts.containsKey(PrometheusQueries.REQUESTS)) {
                                        loads.add(load(service, start, minute));
                                    }
                                }));
        return loads;
    }

    private void take(
            String counted, PrometheusApi.Series series, Map<String, Map<Long, Minute>> services)
            throws InvalidInputException {
        String named = series.labels().get(queries.serviceLabel());
        String service = queries.service().orElse(named);
        if (service == null || service.isBlank()) {
            throw new InvalidInputException(
                    "query "
                            + counted
                            + " gives a series without the label "
                            + queries.serviceLabel()
                            + ": sum by it, or state service or service_label; it has "
                            + series.labels());
        }
        Map<Long, Minute> minutes = services.computeIfAbsent(service, name -> new TreeMap<>());
        boolean bucket = counted.equals(PrometheusQueries.LATENCY);
        long bound = bucket ? bound(series.labels().get("le")) : 0;
        series.values()
                .forEach(
                        (instant, value) -> {
                            Minute minute =
                                    minutes.computeIfAbsent(
                                            instant - MINUTE_S, start -> new Minute());
                            long rounded = Math.max(0, Math.round(value));
                            if (bucket) {
                                minute.upTo.merge(bound, rounded, Long::sum);
                            } else {
                                minute.counts.merge(counted, rounded, Long::sum);
                            }
                        });
    }

    private long bound(String le) throws InvalidInputException {
        if ("+Inf".equals(le)) {
            return CumulativeLatency.OPEN;
        }
        try {
            double us = Double.parseDouble(String.valueOf(le)) * queries.secondsPerUnit() * S_US;
            if (us >= 1 && us < 1e15) {
                return Math.round(us);
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InvalidInputException(
                "query latency_buckets gives a series whose le is "
                        + le
                        + ": sum by le, and see latency_unit");
    }

    private ServiceLoad load(String service, long startSeconds, Minute minute) {
        return new ServiceLoad(
                origin,
                queries.cluster(),
                service,
                startSeconds * S_US,
                "prometheus",
                minute.counts.get(PrometheusQueries.REQUESTS),
                new Failures(
                        counted(minute, "errors"),
                        counted(minute, "timeouts"),
                        counted(minute, "retries")),
                latency(minute),
                version);
    }

    private static OptionalLong counted(Minute minute, String name) {
        Long count = minute.counts.get(name);
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }

    /**
     * Buckets are rounded and extrapolated one by one, so a count may fall by one where it cannot:
     * the greater one before it then holds.
     */
    private static LatencyCounts latency(Minute minute) {
        if (!minute.upTo.containsKey(CumulativeLatency.OPEN)) {
            return LatencyCounts.NONE;
        }
        long most = 0;
        for (Map.Entry<Long, Long> each : minute.upTo.entrySet()) {
            most = Math.max(most, each.getValue());
            each.setValue(most);
        }
        return CumulativeLatency.buckets(minute.upTo);
    }
}
