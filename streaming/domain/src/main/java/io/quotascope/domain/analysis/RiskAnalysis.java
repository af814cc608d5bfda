package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.risk.DeathSpiralRisk;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.LoadHistory;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The row of one minute about risk: the last cliff, seen from this minute's load, with the alarm
 * and the outlook. Cheap: what costs is {@link CliffAnalysis}.
 */
public final class RiskAnalysis {
    private RiskAnalysis() {}

    /**
     * The last analysis and the minute that it is of.
     *
     * @param cliff in multiples of that minute's load
     * @param load what that minute did
     */
    public record Known(AnalysedCliff cliff, EarlyWarning.Minute load) {}

    /**
     * A cliff of a horizon as its last minute sees it; absent when that minute had no load.
     *
     * @param cliff in multiples of the mean load of the horizon
     */
    public static Optional<Known> known(AnalysedCliff cliff, HorizonEvidence evidence) {
        ServiceSums last = evidence.minutes().get(evidence.minutes().size() - 1);
        double mean = evidence.demand().orElseThrow().meanCores();
        return Cadence.loadOf(last)
                .filter(load -> load.usedCores() > 0)
                .map(load -> new Known(cliff.dividedBy(load.usedCores() / mean), load));
    }

    /**
     * Judges a minute.
     *
     * @param minute its sums, all parts that have arrived
     * @param part the last of them
     * @param known the last analysis; absent before the first one
     * @param trigger why this minute was analysed; absent when it was not
     * @param peaks load of the last weeks
     * @param general what holds where the catalog says nothing
     */
    public static CollapseRisk judge(
            ServiceSums minute,
            long part,
            CatalogView catalog,
            Optional<Known> known,
            Optional<AnalysisTrigger> trigger,
            LoadPeaks peaks,
            RiskSettings general) {
        RiskSettings settings = general.of(catalog);
        JudgementScope scope = JudgementScope.of(minute, part, catalog);
        Optional<EarlyWarning.Minute> load = Cadence.loadOf(minute);
        Optional<EarlyWarning.Minute> busy = load.filter(now -> now.usedCores() > 0);
        Optional<AnalysedCliff> cliff =
                known.flatMap(
                        last ->
                                busy.map(
                                        now ->
                                                last.cliff()
                                                        .dividedBy(
                                                                now.usedCores()
                                                                        / last.load()
                                                                                .usedCores())));
        Optional<LoadForecast> forecast =
                busy.map(
                        now ->
                                LoadHistory.forecast(
                                        peaks.perShard(),
                                        minute.windowStartUs() + WindowPart.MINUTE_US,
                                        now.usedCores(),
                                        settings.outlookUs()));
        List<String> reasons = new ArrayList<>(alarms(cliff, load, settings.rule()));
        boolean alarm = !reasons.isEmpty();
        reasons.addAll(doubts(scope, cliff, busy.isPresent(), settings));
        if (cliff.isPresent() && catalog.kappa().measured()) {
            reasons.add(catalog.kappa().words());
        }
        return new CollapseRisk(
                scope,
                new CollapseRisk.Load(
                        optional(load.map(EarlyWarning.Minute::usedCores)),
                        minute.throttling().throttledPeriodRatio(),
                        minute.throttling().throttledRunPeriodsMax()),
                cliff,
                trigger,
                band(cliff),
                new CollapseRisk.Outlook(
                        settings.outlookUs(),
                        probability(cliff, forecast, settings),
                        forecast,
                        peaks.hours().size()),
                alarm,
                reasons);
    }

    private static OptionalDouble optional(Optional<Double> value) {
        return value.isPresent() ? OptionalDouble.of(value.get()) : OptionalDouble.empty();
    }

    private static RiskBand band(Optional<AnalysedCliff> cliff) {
        return cliff.map(
                        known ->
                                RiskBand.of(
                                        known.cliff().service().value(), known.recovery().value()))
                .orElse(RiskBand.UNKNOWN);
    }

    private static OptionalDouble probability(
            Optional<AnalysedCliff> cliff, Optional<LoadForecast> forecast, RiskSettings settings) {
        if (cliff.isEmpty() || forecast.isEmpty()) {
            return OptionalDouble.empty();
        }
        return DeathSpiralRisk.of(cliff.get().cliff().service(), forecast.get(), settings.policy())
                .probability();
    }

    private static List<String> alarms(
            Optional<AnalysedCliff> cliff,
            Optional<EarlyWarning.Minute> load,
            EarlyWarning.Rule rule) {
        if (load.isEmpty()) {
            return List.of();
        }
        if (cliff.isPresent()) {
            EarlyWarning.Minute now = load.get();
            return EarlyWarning.judge(cliff.get().cliff().service(), now, now, rule).reasons();
        }
        return EarlyWarning.throttled(load.get(), rule).stream().toList();
    }

    private static List<String> doubts(
            JudgementScope scope,
            Optional<AnalysedCliff> cliff,
            boolean busy,
            RiskSettings settings) {
        List<String> doubts = new ArrayList<>();
        if (!busy) {
            doubts.add("no load in this minute, so nothing can be said in multiples of it");
        } else if (cliff.isEmpty()) {
            doubts.add("not analysed yet: its turn comes within the cadence");
        }
        cliff.ifPresent(
                known -> {
                    doubts.addAll(CliffWords.of(known, scope, settings.policy()));
                });
        scope.completeness()
                .ifPresent(
                        share -> {
                            if (share < 0.99) {
                                doubts.add(
                                        String.format(
                                                Locale.ROOT,
                                                "%.0f %% of the records are missing",
                                                100 * (1 - share)));
                            }
                        });
        return doubts;
    }
}
