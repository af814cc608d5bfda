package io.quotascope.validate.alerts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.CliffAnalysis;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.analysis.RiskAnalysis;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The alert path of one service as the jobs walk it, minute by minute: cadence, cliff, early
 * warning, book of alerts. With the defaults of the jobs and every minute complete and in time.
 */
final class OwnRules {
    /** Kinds that are about a service. */
    static final List<AlertKind> KINDS =
            List.of(AlertKind.CLIFF_NEAR, AlertKind.VULNERABLE, AlertKind.SHARD_THREADS);

    private static final int EVIDENCE_MINUTES = 10;

    private final CatalogView catalog;
    private final int hostCpus;
    private final CliffAnalysis cliffs = new CliffAnalysis(RiskSettings.DEFAULT);
    private final TreeMap<Long, ServiceSums> evidence = new TreeMap<>();
    private final Map<AlertKind, List<Boolean>> fired = new EnumMap<>(AlertKind.class);
    private final List<Boolean> alarms = new ArrayList<>();
    private Optional<Cadence.Before> before = Optional.empty();
    private Optional<RiskAnalysis.Known> known = Optional.empty();
    private AlertBook book = AlertBook.EMPTY;

    OwnRules(CatalogView catalog, int hostCpus) {
        this.catalog = catalog;
        this.hostCpus = hostCpus;
        KINDS.forEach(kind -> fired.put(kind, new ArrayList<>()));
    }

    /** One minute further. */
    void judge(ServiceSums minute) {
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
        book = after(ServiceReadings.of(risk));
        book = after(ServiceReadings.of(minute, catalog));
        KINDS.forEach(kind -> fired.get(kind).add(book.firing().contains(kind)));
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

    /** What the book did about a kind. */
    Firing firing(AlertKind kind) {
        return Firing.of(fired.get(kind));
    }

    /** The alarm of the minute by itself, which nobody is paged for. */
    Firing alarm() {
        return Firing.of(alarms);
    }
}
