package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.JointGains;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.savings.ServiceSavings;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.Reconstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What every set of fixes would free of the reservation of one service, plain right-sizing apart.
 * An instance is scratch memory for one thread.
 */
public final class SavingsAnalysis {
    private static final String NO_FIX = "as it is";

    private final SavingsSettings settings;
    private final CliffAnalysis cliffs;
    private final JointGains gains = new JointGains();

    public SavingsAnalysis(SavingsSettings settings, RiskSettings risk) {
        this.settings = settings;
        this.cliffs = new CliffAnalysis(risk);
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
        DemandEvidence demand = evidence.demand().get();
        SavingsSettings here = settings.with(catalog.kappa());
        LatencyObjective objective = CatalogClients.objective(catalog);
        Optional<Multiple> headroom =
                evidence.quota().isEmpty()
                        ? Optional.empty()
                        : cliffs.of(evidence, catalog)
                                .map(
                                        cliff ->
                                                cliff.cliff()
                                                        .service()
                                                        .dividedBy(peak(evidence, peaks)));
        SavingsRows rows =
                new SavingsRows(
                        evidence, catalog, peaks, headroom, here, objective, prices, trigger);
        List<FixSet> sets =
                headroom.isEmpty() || evidence.scope().reservedCores().isEmpty()
                        ? List.of()
                        : sets(evidence, demand, objective, here.kappa());
        return rows.of(sets);
    }

    /** Peak load of a shard over the mean of the horizon. */
    private static double peak(HorizonEvidence evidence, LoadPeaks peaks) {
        return WhatIfAnalysis.peakMultiple(evidence, peaks);
    }

    private List<FixSet> sets(
            HorizonEvidence evidence,
            DemandEvidence demand,
            LatencyObjective objective,
            Kappa kappa) {
        CpuLimit.Quota quota = evidence.quota().orElseThrow();
        int whole = (int) Math.max(1, Math.ceil(quota.quotaUs() / (double) quota.periodUs()));
        DemandEnsemble ensemble = Reconstruction.synthesize(demand, evidence.seed());
        return gains.of(
                ensemble.series(),
                new Allowance(evidence.quota(), demand.cpus()),
                List.of(Fix.pools(whole), Fix.burst(quota.quotaUs()), Fix.pinning(whole)),
                kappa,
                objective);
    }

    /** Name of a set in rows. */
    static String nameOf(Optional<FixSet> set) {
        return set.map(
                        known ->
                                known.fixes().stream()
                                        .map(fix -> fix.kind().label())
                                        .collect(Collectors.joining(" + ")))
                .orElse(NO_FIX);
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

    /** Savings of one set alone, or of none. */
    static ServiceSavings savings(
            Provisioning provisioning, Optional<FixSet> set, SavingsSettings settings) {
        List<FixSet> only = new ArrayList<>();
        set.ifPresent(only::add);
        return ServiceSavings.of(provisioning, settings.targets(), only, settings.kappa());
    }
}
