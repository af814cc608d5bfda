package io.quotascope.domain.analysis;

import io.quotascope.domain.advice.Advisor;
import io.quotascope.domain.advice.Decision;
import io.quotascope.domain.advice.Service;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.rank.StrandedHorizon;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ReplayedHeadroom;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.JointGains;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.whatif.advice.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What every set of fixes would free of the reservation of one service, plain right-sizing apart,
 * and which of them is the recommended change. Where the kernel has certainly lost quota, nothing
 * is recommended or priced: its throttling says nothing of the service, and no setting mends it. An
 * instance is scratch memory for one thread.
 */
public final class SavingsAnalysis {
    private final SavingsSettings settings;
    private final RiskSettings risk;
    private final CliffAnalysis cliffs;
    private final CliffSearch search;
    private final JointGains gains = new JointGains();

    public SavingsAnalysis(SavingsSettings settings, RiskSettings risk) {
        this.settings = settings;
        this.risk = risk;
        this.cliffs = new CliffAnalysis(risk);
        this.search = new CliffSearch(risk.policy());
    }

    /**
     * The rows, the one without fixes first; none when no demand is known.
     *
     * @param peaks load of the last weeks, which the reservation has to bear
     * @param prices what cores cost; absent when no book was loaded
     */
    public List<SavingsEstimate> of(
            HorizonEvidence evidence,
            CatalogView catalog,
            LoadPeaks peaks,
            Optional<PriceBook> prices,
            AnalysisTrigger trigger) {
        if (evidence.demand().isEmpty() || !(evidence.demand().get().meanCores() > 0)) {
            return List.of();
        }
        SavingsSettings here = settings.with(catalog.kappa());
        LatencyObjective objective = CatalogClients.objective(catalog);
        double peak = peaks.multipleOf(evidence.demand().get().meanCores(), evidence.endUs());
        Optional<Multiple> headroom =
                evidence.quota().isEmpty()
                        ? Optional.empty()
                        : cliffs.of(evidence, catalog)
                                .map(cliff -> cliff.cliff().service().dividedBy(peak));
        OptionalDouble strandedCores = StrandedHorizon.cores(evidence.minutes());
        Optional<Decision> decision =
                headroom.filter(at -> strandedCores.isEmpty())
                        .flatMap(at -> provisioning(evidence, catalog, peaks, at.value()))
                        .map(
                                known ->
                                        decide(
                                                evidence,
                                                catalog,
                                                new Service(
                                                        known,
                                                        here.targets(),
                                                        evidence.quota().orElseThrow()),
                                                objective,
                                                here.kappa(),
                                                here.target(peak).with(catalog.aim())));
        return new SavingsRows(
                        evidence,
                        catalog,
                        peaks,
                        headroom,
                        strandedCores,
                        here,
                        objective,
                        prices,
                        trigger)
                .of(decision);
    }

    private Decision decide(
            HorizonEvidence evidence,
            CatalogView catalog,
            Service service,
            LatencyObjective objective,
            Kappa kappa,
            Target target) {
        return Advisor.decide(
                WhatIfAnalysis.whatIf(evidence, catalog),
                service,
                sets(evidence, service, objective, kappa),
                new ReplayedHeadroom(
                        search, CatalogClients.of(catalog, risk.policy().assumedClients())),
                target,
                objective);
    }

    private List<FixSet> sets(
            HorizonEvidence evidence, Service service, LatencyObjective objective, Kappa kappa) {
        DemandEvidence demand = evidence.demand().orElseThrow();
        DemandEnsemble ensemble = Reconstruction.synthesize(demand, evidence.seed());
        return gains.of(
                ensemble.series(),
                new Allowance(evidence.quota(), demand.cpus()),
                fixes(service, evidence.burstKernels()),
                kappa,
                objective);
    }

    /** What can be done where the service runs: an advice that no host can take is none. */
    private static List<Fix> fixes(Service service, BurstKernels kernels) {
        return service.fixes().stream()
                .filter(fix -> fix.kind() != FixKind.BURST || !kernels.none())
                .toList();
    }

    /** What the service reserves; absent when nothing is reserved or nobody knows its cliff. */
    static Optional<Provisioning> provisioning(
            HorizonEvidence evidence, CatalogView catalog, LoadPeaks peaks, double headroom) {
        OptionalDouble reserved = evidence.scope().reservedCores();
        if (reserved.isEmpty() || !(reserved.getAsDouble() > 0) || evidence.scope().shards() < 1) {
            return Optional.empty();
        }
        Optional<ServiceCatalogEntry> entry = catalog.entry();
        return Optional.of(
                new Provisioning(
                        evidence.scope().shards(),
                        reserved.getAsDouble(),
                        peaks.most(evidence.endUs()).orElse(0),
                        headroom,
                        entry.map(ServiceCatalogEntry::memoryFloorBytes)
                                .orElse(OptionalLong.empty()),
                        entry.map(ServiceCatalogEntry::memoryBytes).orElse(OptionalLong.empty()),
                        entry.map(ServiceCatalogEntry::minimumShards).orElse(OptionalInt.empty())));
    }
}
