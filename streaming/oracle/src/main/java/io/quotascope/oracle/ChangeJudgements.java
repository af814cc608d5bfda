package io.quotascope.oracle;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourHistory;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.ServiceHour;
import io.quotascope.domain.verification.VerificationPolicy;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.Verifications;
import io.quotascope.wire.avro.Verification;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What changes really did: of each the last judgement that full days of its service's hours allow.
 * All hours are sorted in first, so it says what must be there once every hour has come.
 */
final class ChangeJudgements {
    private static final VerificationPolicy POLICY = VerificationPolicy.DEFAULT;
    private static final long DAY_HOURS = 24;
    private static final long KEPT_HOURS =
            POLICY.hoursBackMax() + POLICY.hoursAfterMax() + DAY_HOURS;

    /** Services that a changed one is compared with, at most. */
    private static final int UNAFFECTED_MAX = 20;

    private record Place(Origin origin, String cluster) {}

    private final Map<Place, TreeMap<String, HourHistory>> histories = new HashMap<>();
    private final Collection<ChangeEvent> changes;
    private final Map<String, TreeMap<Long, HourLoad>> loads = new TreeMap<>();
    private final Map<String, Recommendation> ledger = new TreeMap<>();
    private final Map<String, ServiceCatalogEntry> catalog;
    private final Optional<PriceBook> prices;

    /**
     * @param hours messages of the topic of hours, in any order
     * @param told change events, of each the last version counts
     * @param entries of the ledger, likewise
     * @param counted requests of minutes
     * @param catalog entries by their topic's key
     * @param prices the newest book
     */
    ChangeJudgements(
            List<HourReading> hours,
            List<ChangeEvent> told,
            List<Recommendation> entries,
            List<ServiceLoad> counted,
            Map<String, ServiceCatalogEntry> catalog,
            Optional<PriceBook> prices) {
        this.catalog = catalog;
        this.prices = prices;
        for (ServiceLoad minute : counted) {
            loads.computeIfAbsent(minute.topicKey(), service -> new TreeMap<>())
                    .compute(
                            HourLoad.hourOf(minute.windowStartUs()),
                            (start, before) ->
                                    before == null ? HourLoad.of(minute) : before.plus(minute));
        }
        for (HourReading hour : hours) {
            Place place = new Place(hour.key().origin(), hour.key().cluster());
            histories
                    .computeIfAbsent(place, at -> new TreeMap<>())
                    .computeIfAbsent(hour.key().service(), name -> new HourHistory())
                    .add(hour, KEPT_HOURS);
        }
        TreeMap<String, ChangeEvent> newest = new TreeMap<>();
        for (ChangeEvent event : told) {
            newest.merge(
                    String.join("\n", event.topicKey(), event.eventId()),
                    event,
                    (one, other) -> one.version() > other.version() ? one : other);
        }
        newest.values().removeIf(ChangeEvent::withdrawn);
        changes = newest.values();
        for (Recommendation entry : entries) {
            ledger.merge(
                    entry.key(),
                    entry,
                    (one, other) -> one.version() > other.version() ? one : other);
        }
    }

    /** Rows of verifications at a revision. */
    List<Verification> rows(long revision) {
        List<Verification> rows = new ArrayList<>();
        for (ChangeEvent change : changes) {
            TreeMap<String, HourHistory> cluster =
                    histories.get(new Place(change.origin(), change.cluster()));
            HourHistory history = cluster == null ? null : cluster.get(change.service());
            if (history != null) {
                row(change, history, cluster, revision).ifPresent(rows::add);
            }
        }
        return rows;
    }

    private Optional<Verification> row(
            ChangeEvent change,
            HourHistory history,
            TreeMap<String, HourHistory> cluster,
            long revision) {
        long firstUs = VerifiedChange.firstHourUs(change.atUs(), POLICY);
        long knownUs = history.newestUs().orElseThrow() + ServiceHour.HOUR_US - firstUs;
        long days = Math.floorDiv(knownUs, DAY_HOURS * ServiceHour.HOUR_US);
        long hoursAfter = Math.min(POLICY.hoursAfterMax(), days * DAY_HOURS);
        if (hoursAfter <= 0) {
            return Optional.empty();
        }
        long endUs = firstUs + hoursAfter * ServiceHour.HOUR_US;
        VerifiedChange judged =
                VerifiedChange.judge(
                        change,
                        hoursAfter,
                        until(endUs, history),
                        unaffected(change, endUs, cluster),
                        POLICY);
        Verification row =
                Verifications.toAvro(
                        judged,
                        history.newest(),
                        history.completeness(firstUs, endUs),
                        entryOf(change),
                        revision);
        return Optional.of(
                prices.map(book -> Verifications.priced(row, book, priceClass(change)))
                        .orElse(row));
    }

    private Optional<String> priceClass(ChangeEvent change) {
        String key = ServiceCatalogEntry.topicKey(change.cluster(), change.service());
        return Optional.ofNullable(catalog.get(key))
                .filter(entry -> entry.cluster().equals(change.cluster()))
                .flatMap(ServiceCatalogEntry::priceClass);
    }

    private SortedMap<Long, ServiceHour> until(long endUs, HourHistory history) {
        ServiceKey key = history.newest().key();
        String service = key.origin().label() + '/' + key.cluster() + '/' + key.service();
        TreeMap<Long, HourLoad> known = loads.getOrDefault(service, new TreeMap<>());
        return history.until(endUs, startUs -> Optional.ofNullable(known.get(startUs)));
    }

    private Optional<Recommendation> entryOf(ChangeEvent change) {
        return ledger.values().stream()
                .filter(entry -> entry.state().isPromise())
                .filter(entry -> entry.advice().origin() == change.origin())
                .filter(entry -> entry.advice().cluster().equals(change.cluster()))
                .filter(entry -> entry.advice().service().equals(change.service()))
                .filter(
                        entry ->
                                change.recommendationId()
                                        .filter(entry.advice().recommendationId()::equals)
                                        .isPresent())
                .findFirst();
    }

    /** Those that nothing happened to, in the order in which the job chooses them. */
    private List<SortedMap<Long, ServiceHour>> unaffected(
            ChangeEvent change, long endUs, TreeMap<String, HourHistory> cluster) {
        long fromUs = change.atUs() - POLICY.hoursBackMax() * ServiceHour.HOUR_US;
        List<String> affected = new ArrayList<>(List.of(change.service()));
        for (ChangeEvent other : changes) {
            boolean here =
                    other.origin() == change.origin() && other.cluster().equals(change.cluster());
            if (here && other.atUs() >= fromUs && other.atUs() < endUs) {
                affected.add(other.service());
            }
        }
        TreeMap<String, HourHistory> candidates = new TreeMap<>();
        cluster.forEach(
                (service, history) -> {
                    boolean goesOn = history.newestUs().orElseThrow() >= change.atUs();
                    if (!affected.contains(service) && goesOn) {
                        int hash = (change.eventId() + '/' + service).hashCode();
                        candidates.put(String.format("%08x", hash) + service, history);
                    }
                });
        return candidates.values().stream()
                .limit(UNAFFECTED_MAX)
                .map(history -> until(endUs, history))
                .toList();
    }
}
