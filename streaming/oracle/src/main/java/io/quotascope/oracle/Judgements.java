package io.quotascope.oracle;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.CliffAnalysis;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.RiskAnalysis;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.analysis.SavingsAnalysis;
import io.quotascope.domain.analysis.SavingsEstimate;
import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.analysis.WhatIfAnalysis;
import io.quotascope.domain.analysis.WhatIfOutcome;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of the three tables for one service and class. */
public final class Judgements {
    /**
     * What an operator can set, with the defaults of the jobs.
     *
     * @param turnMinutes minutes between two analyses
     * @param riskMovedMinutes least minutes before an analysis because of a move, by job
     * @param whatIfMovedMinutes the same
     * @param savingsMovedMinutes the same
     * @param evidenceMinutes minutes that the risk job looks at
     * @param horizonMinutes minutes that the other two look at
     * @param hostCpus CPUs of the hosts
     */
    public record Options(
            int turnMinutes,
            int riskMovedMinutes,
            int whatIfMovedMinutes,
            int savingsMovedMinutes,
            int evidenceMinutes,
            int horizonMinutes,
            double hostCpus) {
        /** What the jobs do unless they are told otherwise. */
        public static final Options DEFAULT = new Options(10, 1, 5, 10, 10, 60, 16);

        private Cadence cadence(int movedMinutes) {
            return new Cadence(turnMinutes, movedMinutes, Cadence.DEFAULT.rule());
        }
    }

    private final Options options;
    private final Optional<ServiceCatalogEntry> entry;
    private final Optional<PriceBook> prices;
    private final Kappa kappa;

    /**
     * @param entry of the service, in force all the time
     * @param prices in force all the time
     * @param kappa what concurrency costs the service, all the time
     */
    public Judgements(
            Options options,
            Optional<ServiceCatalogEntry> entry,
            Optional<PriceBook> prices,
            Kappa kappa) {
        this.options = options;
        this.kappa = kappa;
        this.entry = entry;
        this.prices = prices;
    }

    private CatalogView catalog(Walk.Moment moment) {
        ServiceKey key = moment.minute().key();
        return new CatalogView(
                entry.filter(known -> known.cluster().equals(key.cluster()))
                        .filter(known -> known.service().equals(key.service())),
                moment.revision(),
                kappa);
    }

    private HorizonEvidence evidence(Walk.Moment moment, int minutes) {
        return HorizonEvidence.of(
                moment.horizon(),
                moment.part(),
                catalog(moment),
                minutes * WindowPart.MINUTE_US,
                options.hostCpus());
    }

    /** Rows of collapse_risks, in the order of closing. */
    public List<CollapseRisk> risks(List<ServiceWindow> rows) {
        List<CollapseRisk> judged = new ArrayList<>();
        RiskSettings settings = RiskSettings.DEFAULT;
        CliffAnalysis cliffs = new CliffAnalysis(settings);
        new Walk(
                        options.cadence(options.riskMovedMinutes()),
                        options.evidenceMinutes(),
                        moment -> risk(moment, cliffs, settings, judged))
                .over(rows);
        return judged;
    }

    private Optional<Walk.Kept> risk(
            Walk.Moment moment,
            CliffAnalysis cliffs,
            RiskSettings settings,
            List<CollapseRisk> judged) {
        Optional<RiskAnalysis.Known> fresh = Optional.empty();
        if (moment.trigger().isPresent()) {
            HorizonEvidence evidence = evidence(moment, options.evidenceMinutes());
            fresh =
                    cliffs.of(evidence, catalog(moment))
                            .flatMap(cliff -> RiskAnalysis.known(cliff, evidence));
        }
        Optional<RiskAnalysis.Known> known =
                fresh.or(
                        () ->
                                moment.lastCliff()
                                        .map(
                                                kept ->
                                                        new RiskAnalysis.Known(
                                                                kept.cliff().orElseThrow(),
                                                                kept.load())));
        judged.add(
                RiskAnalysis.judge(
                        moment.minute(),
                        moment.part(),
                        catalog(moment),
                        known,
                        moment.trigger(),
                        moment.peaks(),
                        settings));
        Optional<RiskAnalysis.Known> found = fresh;
        return moment.trigger()
                .flatMap(why -> Cadence.loadOf(moment.minute()))
                .map(load -> new Walk.Kept(load, found.map(RiskAnalysis.Known::cliff)));
    }

    /** Rows of what_if_outcomes, in the order of closing. */
    public List<WhatIfOutcome> outcomes(List<ServiceWindow> rows) {
        List<WhatIfOutcome> judged = new ArrayList<>();
        WhatIfAnalysis analysis = new WhatIfAnalysis();
        new Walk(
                        options.cadence(options.whatIfMovedMinutes()),
                        options.horizonMinutes(),
                        moment -> {
                            moment.trigger()
                                    .ifPresent(
                                            why ->
                                                    judged.addAll(
                                                            analysis.of(
                                                                    evidence(
                                                                            moment,
                                                                            options
                                                                                    .horizonMinutes()),
                                                                    catalog(moment),
                                                                    why)));
                            return kept(moment);
                        })
                .over(rows);
        return judged;
    }

    /** Rows of savings_estimates, in the order of closing. */
    public List<SavingsEstimate> savings(List<ServiceWindow> rows) {
        List<SavingsEstimate> judged = new ArrayList<>();
        SavingsAnalysis analysis =
                new SavingsAnalysis(SavingsSettings.DEFAULT, RiskSettings.DEFAULT);
        new Walk(
                        options.cadence(options.savingsMovedMinutes()),
                        options.horizonMinutes(),
                        moment -> {
                            moment.trigger()
                                    .ifPresent(
                                            why ->
                                                    judged.addAll(
                                                            analysis.of(
                                                                    evidence(
                                                                            moment,
                                                                            options
                                                                                    .horizonMinutes()),
                                                                    catalog(moment),
                                                                    moment.peaks(),
                                                                    prices,
                                                                    why)));
                            return kept(moment);
                        })
                .over(rows);
        return judged;
    }

    private static Optional<Walk.Kept> kept(Walk.Moment moment) {
        return moment.trigger()
                .flatMap(why -> Cadence.loadOf(moment.minute()))
                .map(load -> new Walk.Kept(load, Optional.empty()));
    }
}
