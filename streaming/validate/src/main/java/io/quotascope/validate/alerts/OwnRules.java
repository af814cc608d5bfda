package io.quotascope.validate.alerts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertEpisode;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.AlertSeverity;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.CliffAnalysis;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.analysis.RiskAnalysis;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The alert path of one service as the jobs walk it, minute by minute: cadence, cliff, early
 * warning, book of alerts. With the defaults of the jobs and every minute complete and in time.
 */
public final class OwnRules {
    /** Kinds that are about a service. */
    static final List<AlertKind> KINDS =
            List.of(AlertKind.CLIFF_NEAR, AlertKind.VULNERABLE, AlertKind.SHARD_THREADS);

    private static final int EVIDENCE_MINUTES = 10;

    private final CatalogView catalog;
    private final int hostCpus;
    private final CliffAnalysis cliffs = new CliffAnalysis(RiskSettings.DEFAULT);
    private final TreeMap<Long, ServiceSums> evidence = new TreeMap<>();
    private final Map<AlertKind, List<Boolean>> fired = new EnumMap<>(AlertKind.class);
    private final Map<AlertKind, List<Boolean>> paged = new EnumMap<>(AlertKind.class);
    private final List<Boolean> alarms = new ArrayList<>();
    private final List<Double> headrooms = new ArrayList<>();
    private Optional<Cadence.Before> before = Optional.empty();
    private Optional<RiskAnalysis.Known> known = Optional.empty();
    private AlertBook book = AlertBook.EMPTY;

    /** The path of a service whose owner has stated time-out and retries. */
    public OwnRules(String service, Client clients, int hostCpus) {
        this(catalog(service, clients), hostCpus);
    }

    OwnRules(CatalogView catalog, int hostCpus) {
        this.catalog = catalog;
        this.hostCpus = hostCpus;
        KINDS.forEach(
                kind -> {
                    fired.put(kind, new ArrayList<>());
                    paged.put(kind, new ArrayList<>());
                });
    }

    /**
     * One minute further.
     *
     * @return whether the alarm of the minute is on
     */
    public boolean judge(ServiceSums minute) {
        evidence.put(minute.windowStartUs(), minute);
        evidence.headMap(minute.windowStartUs() - (EVIDENCE_MINUTES - 1) * WindowPart.MINUTE_US)
                .clear();
        Optional<AnalysisTrigger> trigger = Cadence.DEFAULT.onTime(minute, before);
        if (trigger.isPresent()) {
            analyse(minute);
        }
        CollapseRisk risk =
                RiskAnalysis.judge(
                        minute, 0, catalog, known, trigger, LoadPeaks.NONE, RiskSettings.DEFAULT);
        alarms.add(risk.alarm());
        headrooms.add(risk.headroom().orElse(Double.POSITIVE_INFINITY));
        book = after(ServiceReadings.of(risk));
        book = after(ServiceReadings.of(minute, catalog));
        for (AlertKind kind : KINDS) {
            Optional<AlertSeverity> severity =
                    book.episodes().getOrDefault(kind, AlertEpisode.NONE).firing();
            fired.get(kind).add(severity.isPresent());
            paged.get(kind).add(severity.equals(Optional.of(AlertSeverity.CRITICAL)));
        }
        return risk.alarm();
    }

    private void analyse(ServiceSums minute) {
        HorizonEvidence seen =
                HorizonEvidence.of(
                        evidence, 0, catalog, EVIDENCE_MINUTES * WindowPart.MINUTE_US, hostCpus);
        known =
                cliffs.of(seen, catalog)
                        .flatMap(cliff -> RiskAnalysis.known(cliff, seen))
                        .or(() -> known);
        before =
                Cadence.loadOf(minute)
                        .map(load -> new Cadence.Before(minute.windowStartUs(), load));
    }

    private AlertBook after(ServiceReadings said) {
        return book.judge(
                        said.subject(),
                        said.context(),
                        said.minuteUs(),
                        said.readings(),
                        AlertRules.DEFAULT)
                .book();
    }

    /** Whether an alert fires in the last minute that was judged. */
    public boolean firesNow(AlertKind kind) {
        List<Boolean> minutes = fired.get(kind);
        return !minutes.isEmpty() && minutes.get(minutes.size() - 1);
    }

    /** What the book did about a kind. */
    Firing firing(AlertKind kind) {
        return Firing.of(fired.get(kind));
    }

    /** When somebody was paged about a kind. */
    Firing pages(AlertKind kind) {
        return Firing.of(paged.get(kind));
    }

    /** A page whenever collapse is as near as a multiple, without a band around it. */
    Firing pagesAt(double headroom) {
        return Firing.of(headrooms.stream().map(each -> each <= headroom).toList());
    }

    /** Collapse load / load of each minute; infinite before the first analysis. */
    public List<Double> headrooms() {
        return List.copyOf(headrooms);
    }

    private static CatalogView catalog(String service, Client client) {
        ClientPolicy clients =
                new ClientPolicy(
                        OptionalLong.of(client.timeoutUs()),
                        OptionalInt.of(client.retries()),
                        OptionalLong.empty());
        return new CatalogView(
                Optional.of(
                        new ServiceCatalogEntry(
                                "simulated",
                                service,
                                1,
                                Optional.empty(),
                                Optional.empty(),
                                OptionalLong.empty(),
                                Optional.empty(),
                                clients,
                                OptionalLong.empty(),
                                OptionalInt.empty(),
                                false)),
                1);
    }

    /** The alarm of the minute by itself, which nobody is paged for. */
    Firing alarm() {
        return Firing.of(alarms);
    }
}
