package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The heavy judgements of simulated minutes. */
class AnalysisTest {
    static final SortedMap<Long, ServiceSums> MINUTES = SimulatedMinutes.of(4, 9, 9, 14);
    private static final CatalogView NO_ENTRY = CatalogView.without(1);
    private static final HorizonEvidence EVIDENCE = evidence(MINUTES, NO_ENTRY);
    static final SavingsSettings SAVINGS = SavingsSettings.DEFAULT;

    static HorizonEvidence evidence(SortedMap<Long, ServiceSums> minutes, CatalogView catalog) {
        return HorizonEvidence.of(minutes, 0, catalog, minutes.size() * 60_000_000L, 8);
    }

    static CatalogView catalog() {
        return catalog(80_000);
    }

    private static CatalogView catalog(long sloUs) {
        return new CatalogView(
                Optional.of(
                        new ServiceCatalogEntry(
                                "c",
                                "checkout",
                                3,
                                Optional.of("payments"),
                                Optional.empty(),
                                OptionalLong.of(4_000),
                                Optional.of("gold"),
                                new ServiceCatalogEntry.ClientPolicy(
                                        OptionalLong.of(2_000_000),
                                        OptionalInt.of(0),
                                        OptionalLong.of(sloUs)),
                                OptionalLong.empty(),
                                OptionalInt.of(2),
                                false)),
                1);
    }

    static LoadPeaks peaks() {
        TreeMap<Long, LoadPeaks.Hour> hours = new TreeMap<>();
        MINUTES.values()
                .forEach(
                        minute ->
                                hours.merge(
                                        LoadPeaks.hourOf(minute.windowStartUs()),
                                        LoadPeaks.Hour.of(minute),
                                        LoadPeaks.Hour::most));
        return new LoadPeaks(hours);
    }

    private static CollapseRisk risk(ServiceSums minute, CatalogView catalog) {
        HorizonEvidence seen = evidence(MINUTES, catalog);
        AnalysedCliff cliff =
                new CliffAnalysis(RiskSettings.DEFAULT).of(seen, catalog).orElseThrow();
        return RiskAnalysis.judge(
                minute,
                0,
                catalog,
                RiskAnalysis.known(cliff, seen),
                Optional.empty(),
                peaks(),
                RiskSettings.DEFAULT);
    }

    @Test
    void multiplesOfOneCollapseLoadShrinkAsTheLoadGrows() {
        double[] loads = new double[MINUTES.size()];
        double[] products = new double[MINUTES.size()];
        int at = 0;
        for (ServiceSums minute : MINUTES.values()) {
            CollapseRisk row = risk(minute, NO_ENTRY);
            loads[at] = row.load().usedCoresPerShard().orElseThrow();
            products[at] = loads[at] * row.headroom().orElseThrow();
            assertThat(products[at]).isCloseTo(products[0], within(1e-9));
            at++;
        }
        assertThat(loads[0]).isNotEqualTo(loads[1]);
    }

    private static org.assertj.core.data.Offset<Double> within(double much) {
        return org.assertj.core.data.Offset.offset(much);
    }

    @Test
    void theHottestShardCollapsesFirstAndSaysWhatBalancingWouldGive() {
        CollapseRisk row = risk(MINUTES.get(MINUTES.lastKey()), NO_ENTRY);
        AnalysedCliff cliff = row.cliff().orElseThrow();
        assertThat(cliff.shardLoadDeviation()).isBetween(0.1, 0.5);
        assertThat(cliff.cliff().hottestShard().value())
                .isLessThan(cliff.cliff().service().value());
        assertThat(cliff.recovery().value()).isLessThanOrEqualTo(cliff.cliff().service().value());
        assertThat(row.outlook().probability().orElseThrow()).isBetween(0.0, 1.0);
        assertThat(row.reasons()).anyMatch(reason -> reason.contains("assumed (200 ms, 2)"));
    }

    @Test
    void theWorstShardIsJudgedByItsOwnSamples() {
        AnalysedCliff cliff = risk(MINUTES.get(MINUTES.lastKey()), NO_ENTRY).cliff().orElseThrow();
        assertThat(cliff.worstShard().orElseThrow().shard()).isEqualTo("shard-2");
        assertThat(cliff.worstShard().orElseThrow().collapse().value()).isBetween(0.5, 3.0);
    }

    @Test
    void theCatalogOverridesHorizonAndWhatClientsDoWithADeadShard() {
        ServiceCatalogEntry said = catalog().entry().orElseThrow();
        CatalogView stays = new CatalogView(Optional.of(with(said, 7_200_000_000L, false)), 1);
        CatalogView moves = new CatalogView(Optional.of(with(said, 7_200_000_000L, true)), 1);
        ServiceSums minute = MINUTES.get(MINUTES.lastKey());
        AnalysedCliff kept = risk(minute, stays).cliff().orElseThrow();
        AnalysedCliff moved = risk(minute, moves).cliff().orElseThrow();
        assertThat(kept.clients().redistribution()).isEqualTo(Redistribution.STAY);
        assertThat(moved.clients().redistribution()).isEqualTo(Redistribution.EJECT);
        assertThat(risk(minute, stays).outlook().horizonUs()).isEqualTo(7_200_000_000L);
        assertThat(risk(minute, NO_ENTRY).outlook().horizonUs())
                .isEqualTo(RiskSettings.DEFAULT.outlookUs());
    }

    private static ServiceCatalogEntry with(
            ServiceCatalogEntry entry, long horizonUs, boolean moves) {
        return new ServiceCatalogEntry(
                entry.cluster(),
                entry.service(),
                entry.catalogVersion(),
                entry.team(),
                entry.owner(),
                entry.reservedMillicores(),
                entry.priceClass(),
                new ServiceCatalogEntry.ClientPolicy(
                        entry.load().timeoutUs(),
                        entry.load().retries(),
                        entry.load().sloUs(),
                        OptionalLong.of(horizonUs),
                        Optional.of(moves)),
                entry.memoryFloorBytes(),
                entry.minimumShards(),
                entry.deleted());
    }

    @Test
    void theCatalogOverridesTimeoutAndRetries() {
        AnalysedCliff assumed = risk(MINUTES.get(MINUTES.lastKey()), NO_ENTRY).cliff().get();
        AnalysedCliff patient = risk(MINUTES.get(MINUTES.lastKey()), catalog()).cliff().get();
        assertThat(patient.clients().assumed()).isFalse();
        assertThat(patient.clients().policy().timeoutUs()).isEqualTo(2_000_000);
        assertThat(patient.cliff().service().value())
                .isGreaterThan(assumed.cliff().service().value());
    }

    @Test
    void beforeTheFirstAnalysisNothingIsClaimed() {
        ServiceSums minute = MINUTES.get(MINUTES.firstKey());
        CollapseRisk row =
                RiskAnalysis.judge(
                        minute,
                        0,
                        NO_ENTRY,
                        Optional.empty(),
                        Optional.empty(),
                        LoadPeaks.NONE,
                        RiskSettings.DEFAULT);
        assertThat(row.cliff()).isEmpty();
        assertThat(row.outlook().probability()).isEmpty();
        assertThat(row.band().label()).isEqualTo("unknown");
        assertThat(row.reasons()).anyMatch(reason -> reason.contains("not analysed yet"));
    }

    @Test
    void theGridBeginsWithWhatWasObservedAndRecommendsNothing() {
        List<WhatIfOutcome> rows =
                new WhatIfAnalysis().of(EVIDENCE, NO_ENTRY, AnalysisTrigger.CADENCE);
        double observed = EVIDENCE.demand().orElseThrow().throttledPeriodRatio();
        assertThat(observed).isGreaterThan(0.02);
        assertThat(rows.get(0).outcome().throttledPeriodRatio().value())
                .isCloseTo(observed, within(1e-9));
        assertThat(rows).extracting(row -> row.question().kind()).contains(ScenarioKind.values());
        assertThat(rows).extracting(row -> row.question().scenario()).doesNotHaveDuplicates();
        double tight = ratio(rows, "quota 0.75 cores (x0.75)");
        double wide = ratio(rows, "quota 1.50 cores (x1.5)");
        assertThat(tight).isGreaterThan(observed);
        assertThat(wide).isLessThan(observed);
        assertThat(ratio(rows, "1 whole CPU, no quota")).isZero();
    }

    private static double ratio(List<WhatIfOutcome> rows, String scenario) {
        return rows.stream()
                .filter(row -> row.question().scenario().equals(scenario))
                .findFirst()
                .orElseThrow()
                .outcome()
                .throttledPeriodRatio()
                .value();
    }

    @Test
    void savingsAreAlternativesOfWhichOneIsBestAndNeverPassTheFloor() {
        List<SavingsEstimate> rows = savings(catalog(), Optional.empty());
        assertThat(rows).hasSize(8);
        assertThat(rows).filteredOn(row -> row.choice().best()).hasSize(1);
        for (SavingsEstimate row : rows) {
            double reserved = row.reservation().reservedCoresTotal().orElseThrow();
            assertThat(reserved).isEqualTo(12);
            SavingsEstimate.Freed freed = row.freed().orElseThrow();
            assertThat(
                            reserved
                                    - Math.max(0, freed.rightSizing().value())
                                    - freed.byFixes().value())
                    .isGreaterThanOrEqualTo(row.reservation().floorCores().orElseThrow() - 1e-9);
            assertThat(freed.byFixes().low()).isLessThanOrEqualTo(freed.byFixes().high());
            assertThat(freed.rightSizing().low()).isLessThanOrEqualTo(freed.rightSizing().value());
            assertThat(row.value()).isEmpty();
            assertThat(row.reasons()).contains("no price book");
            assertThat(row.trust()).isEqualTo(Trust.Verdict.DOUBTFUL);
        }
        SavingsEstimate best = rows.stream().filter(row -> row.choice().best()).findFirst().get();
        SavingsEstimate.Change change = best.change().orElseThrow();
        assertThat(change.candidate().reached()).isTrue();
        assertThat(change.candidate().after().throttledPeriodRatio().value())
                .isLessThanOrEqualTo(0.01);
        assertThat(change.candidate().cores())
                .isCloseTo(
                        12
                                - best.freed().orElseThrow().rightSizing().value()
                                - best.freed().orElseThrow().byFixes().value(),
                        within(1e-6));
        assertThat(best.settingText().isPresent()).isEqualTo(change.candidate().changes());
        // The peak keeps more than two shards of a tenth of a core: each of them may shrink.
        assertThat(rows.get(0).reservation().floorCores().orElseThrow()).isBetween(0.2, 4.0);
    }

    /** What limits trust is a part of the reasons, and never empty where a verdict is not sound. */
    @Test
    void whatLimitsTrustIsToldApartFromFigures() {
        for (CatalogView view : List.of(catalog(), NO_ENTRY)) {
            for (SavingsEstimate row : savings(view, Optional.empty())) {
                assertThat(row.reasons()).containsAll(row.trustReasons());
                assertThat(row.trust()).isNotEqualTo(Trust.Verdict.SOUND);
                assertThat(row.trustReasons())
                        .contains(
                                "no price book",
                                "the cost of concurrency is a prior, not measured",
                                "the peak is that of 1 hour only, not of weeks")
                        .noneMatch(words -> words.startsWith("throttled periods at peak"))
                        .noneMatch(words -> words.startsWith("the same reservation carries"));
            }
        }
        assertThat(savings(catalog(), Optional.empty()).get(0).trustReasons())
                .noneMatch(words -> words.startsWith("latency objective assumed"));
        assertThat(savings(NO_ENTRY, Optional.empty()).get(0).trustReasons())
                .contains("latency objective assumed: 50 ms");
    }

    /**
     * Few throttled periods are not all: no set may make the slowest work wait longer than the
     * objective allows and than it waits now, and what was refused for that is told.
     */
    @Test
    void noRowThatReachesItsTargetBreaksTheObjectiveOfTheCatalog() {
        int told = 0;
        for (long sloMs : new long[] {1, 10, 100, 10_000}) {
            for (SavingsEstimate row : savings(catalog(sloMs * 1_000), Optional.empty())) {
                SavingsEstimate.Change change = row.change().orElseThrow();
                double afterUs = change.candidate().after().tailDelayUs();
                boolean beyond = afterUs > sloMs * 1_000 && afterUs > change.now().tailDelayUs();
                assertThat(beyond && change.candidate().reached()).isFalse();
                assertThat(row.trustReasons().stream().anyMatch(w -> w.startsWith("tail delay at")))
                        .isEqualTo(beyond);
                boolean refused = row.reasons().stream().anyMatch(w -> w.startsWith("not recomm"));
                assertThat(refused && !row.choice().best()).isFalse();
                told += refused ? 1 : 0;
            }
        }
        assertThat(told).isPositive();
    }

    @Test
    void anOwnerWhoWantsLatencyKeepsTheCores() {
        ServiceCatalogEntry entry = catalog().entry().orElseThrow();
        CatalogView wants = new CatalogView(Optional.of(entry.with(Target.Aim.LATENCY)), 1);
        List<SavingsEstimate> rows = savings(wants, Optional.empty());
        assertThat(rows).allMatch(row -> row.aim() == Target.Aim.LATENCY);
        assertThat(savings(catalog(), Optional.empty()))
                .allMatch(row -> row.aim() == Target.Aim.SAVINGS);
        SavingsEstimate best = rows.stream().filter(row -> row.choice().best()).findFirst().get();
        SavingsEstimate.Change change = best.change().orElseThrow();
        assertThat(change.candidate().reached()).isTrue();
        assertThat(change.candidate().cores()).isEqualTo(12);
        assertThat(best.freed().orElseThrow().rightSizing()).isEqualTo(new Estimate(0, 0, 0));
        assertThat(best.freed().orElseThrow().byFixes()).isEqualTo(new Estimate(0, 0, 0));
        assertThat(best.reservation().needCores()).isEmpty();
        assertThat(change.candidate().after().tailDelayUs()).isLessThan(change.now().tailDelayUs());
        assertThat(change.candidate().words()).startsWith("for latency: ");
    }

    /** An interval without width is a bound: then the words name the floor that it comes from. */
    @Test
    void anIntervalWithoutWidthIsNeverShownAsAnEstimate() {
        for (CatalogView view : List.of(catalog(), NO_ENTRY)) {
            for (SavingsEstimate row : savings(view, Optional.empty())) {
                Estimate freed = row.freed().orElseThrow().byFixes();
                assertThat(freed.low()).isLessThanOrEqualTo(freed.value());
                assertThat(freed.high()).isGreaterThanOrEqualTo(freed.value());
                if (freed.value() > 0 && freed.high() - freed.low() < 1e-9) {
                    assertThat(row.reasons()).anyMatch(reason -> reason.contains("must stay for"));
                }
            }
        }
    }

    @Test
    void aShardRunsOnNoMoreCpusThanItHasThreads() {
        CliffAnalysis analysis = new CliffAnalysis(RiskSettings.DEFAULT);
        HorizonEvidence some = HorizonEvidence.of(MINUTES, 0, NO_ENTRY, 240_000_000L, 16);
        HorizonEvidence many = HorizonEvidence.of(MINUTES, 0, NO_ENTRY, 240_000_000L, 512);
        long threads =
                MINUTES.values().stream().mapToLong(each -> each.threads().max()).max().orElse(0);
        assertThat(threads).isBetween(1L, 16L);
        assertThat(analysis.of(many, NO_ENTRY).orElseThrow().cliff())
                .isEqualTo(analysis.of(some, NO_ENTRY).orElseThrow().cliff());
    }

    @Test
    void aPriceMakesMoneyOfCores() {
        PriceBook book =
                new PriceBook(
                        7,
                        List.of(
                                new PriceBook.Price(
                                        "gold",
                                        0,
                                        1_000,
                                        10,
                                        0.25,
                                        Optional.empty(),
                                        Optional.empty())),
                        Optional.empty());
        SavingsEstimate row = savings(catalog(), Optional.of(book)).get(0);
        SavingsEstimate.Value value = row.value().orElseThrow();
        assertThat(value.priceBookVersion()).isEqualTo(7);
        assertThat(value.rightSizing().value())
                .isCloseTo(row.freed().orElseThrow().rightSizing().value() * 750, within(1e-9));
        assertThat(value.cashable()).isEmpty();
        assertThat(savings(NO_ENTRY, Optional.of(book)).get(0).reasons())
                .contains("the price book has no class default");
    }

    private static List<SavingsEstimate> savings(CatalogView catalog, Optional<PriceBook> prices) {
        return new SavingsAnalysis(SAVINGS, RiskSettings.DEFAULT)
                .of(evidence(MINUTES, catalog), catalog, peaks(), prices, AnalysisTrigger.CADENCE);
    }

    @Test
    void theSameMinutesGiveTheSameRowsWhoeverJudges() {
        assertThat(savings(catalog(), Optional.empty()))
                .usingRecursiveComparison()
                .isEqualTo(savings(catalog(), Optional.empty()));
        ServiceSums last = MINUTES.get(MINUTES.lastKey());
        assertThat(risk(last, NO_ENTRY)).isEqualTo(risk(last, NO_ENTRY));
    }
}
