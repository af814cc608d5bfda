package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a measured cost of concurrency and the memory of shards change in the heavy judgements. */
class KnownCostTest {
    private static final SortedMap<Long, ServiceSums> MINUTES = SimulatedMinutes.of(3, 9, 9, 14);
    private static final LoadPeaks PEAKS = new LoadPeaks(new TreeMap<>());
    private static final String SAID = "measured from requests and CPU time";

    private static CatalogView view(OptionalLong floor, OptionalLong has, Kappa kappa) {
        return new CatalogView(
                Optional.of(
                        new ServiceCatalogEntry(
                                "c",
                                "checkout",
                                1,
                                Optional.empty(),
                                Optional.empty(),
                                OptionalLong.of(4_000),
                                Optional.empty(),
                                new ServiceCatalogEntry.ClientPolicy(
                                        OptionalLong.empty(),
                                        OptionalInt.empty(),
                                        OptionalLong.empty()),
                                floor,
                                has,
                                OptionalInt.empty(),
                                Optional.empty(),
                                false)),
                1,
                kappa);
    }

    private static CatalogView view(Kappa kappa) {
        return view(OptionalLong.empty(), OptionalLong.empty(), kappa);
    }

    private static HorizonEvidence evidence(CatalogView view) {
        return HorizonEvidence.of(MINUTES, 0, view, MINUTES.size() * 60_000_000L, 8);
    }

    private static List<SavingsEstimate> savings(CatalogView view) {
        return new SavingsAnalysis(SavingsSettings.DEFAULT, RiskSettings.DEFAULT)
                .of(evidence(view), view, PEAKS, Optional.empty(), AnalysisTrigger.CADENCE);
    }

    private static List<WhatIfOutcome> outcomes(CatalogView view) {
        return new WhatIfAnalysis().of(evidence(view), view, AnalysisTrigger.CADENCE);
    }

    private static CollapseRisk risk(CatalogView view) {
        HorizonEvidence seen = evidence(view);
        AnalysedCliff cliff = new CliffAnalysis(RiskSettings.DEFAULT).of(seen, view).orElseThrow();
        return RiskAnalysis.judge(
                MINUTES.get(MINUTES.lastKey()),
                0,
                view,
                RiskAnalysis.known(cliff, seen),
                Optional.empty(),
                PEAKS,
                RiskSettings.DEFAULT);
    }

    @Test
    void savingsUseTheMeasuredCostAndSayWhichOneTheyUse() {
        SavingsEstimate measured = savings(view(new Kappa(0.1, true))).get(0);
        SavingsEstimate prior = savings(view(Kappa.PRIOR)).get(0);
        assertThat(measured.kappa()).isEqualTo(new Kappa(0.1, true));
        assertThat(prior.kappa()).isEqualTo(Kappa.PRIOR);
        assertThat(measured.reasons()).anyMatch(reason -> reason.contains("0.10, " + SAID));
        assertThat(prior.reasons()).anyMatch(reason -> reason.contains("prior, not measured"));
    }

    @Test
    void theCliffOfAKnownCostIsAnotherOne() {
        CollapseRisk cheap = risk(view(new Kappa(0, true)));
        CollapseRisk dear = risk(view(new Kappa(0.6, true)));
        CollapseRisk unknown = risk(view(Kappa.PRIOR));
        assertThat(dear.headroom().orElseThrow()).isLessThan(cheap.headroom().orElseThrow());
        assertThat(cheap.reasons()).anyMatch(reason -> reason.contains(SAID));
        assertThat(unknown.reasons()).noneMatch(reason -> reason.contains(SAID));
    }

    @Test
    void whatIfSaysItToo() {
        assertThat(outcomes(view(new Kappa(0.3, true))).get(0).reasons())
                .anyMatch(reason -> reason.contains(SAID));
        assertThat(outcomes(view(Kappa.PRIOR)).get(0).reasons())
                .noneMatch(reason -> reason.contains(SAID));
    }

    @Test
    void asManyShardsStayAsTheirMemoryNeeds() {
        SavingsEstimate tight =
                savings(view(OptionalLong.of(3L << 30), OptionalLong.of(4L << 30), Kappa.PRIOR))
                        .get(0);
        assertThat(tight.reservation().floorCores().orElseThrow())
                .as("three quarters of the reservation")
                .isCloseTo(
                        0.75 * tight.reservation().reservedCoresTotal().orElseThrow(),
                        within(1e-9));
        SavingsEstimate unknown = savings(view(Kappa.PRIOR)).get(0);
        assertThat(unknown.reservation().floorCores().orElseThrow())
                .isLessThan(tight.reservation().floorCores().orElseThrow());
    }

    @Test
    void consolidationSaysWhetherTheMemoryFits() {
        assertThat(merged(OptionalLong.of(3L << 30), OptionalLong.of(4L << 30)))
                .contains("not without more memory: two shards need 6.0 GiB, one has 4.0");
        assertThat(merged(OptionalLong.of(1L << 30), OptionalLong.of(4L << 30)))
                .contains("two shards need 2.0 GiB, one has 4.0");
        assertThat(merged(OptionalLong.empty(), OptionalLong.of(4L << 30)))
                .contains("whether their memory fits into one shard is not known");
    }

    private static List<String> merged(OptionalLong floor, OptionalLong has) {
        return outcomes(view(floor, has, Kappa.PRIOR)).stream()
                .filter(row -> row.question().kind() == ScenarioKind.CONSOLIDATION)
                .findFirst()
                .orElseThrow()
                .reasons();
    }
}
