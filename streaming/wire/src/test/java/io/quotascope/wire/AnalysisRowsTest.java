package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.advice.Candidate;
import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.analysis.Analysed;
import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.SavingsEstimate;
import io.quotascope.domain.analysis.ScenarioKind;
import io.quotascope.domain.analysis.WhatIfOutcome;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Proposal;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.RatioEstimate;
import io.quotascope.domain.whatif.ReplayOutcome.Percentiles;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import net.jqwik.api.Example;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Rows of analyses: nothing known gets lost, nothing unknown becomes a number. */
class AnalysisRowsTest {
    private static final JudgementScope SCOPE =
            new JudgementScope(
                    new ServiceKey(Origin.SIMULATED, "lab", "checkout", "200m/100ms"),
                    1_800_000_000_000_000L,
                    7,
                    (1L << 32) + 4,
                    4,
                    Optional.of("payments"),
                    12,
                    OptionalDouble.of(0.9),
                    OptionalDouble.of(0.2),
                    OptionalDouble.of(0.5));
    private static final Analysed ANALYSED =
            new Analysed(1_800_000_060_000_000L, AnalysisTrigger.MOVED, 3_600_000_000L, 59);

    private static CollapseRisk risk() {
        AnalysedCliff cliff =
                new AnalysedCliff(
                        1_799_999_940_000_000L,
                        600_000_000L,
                        9,
                        new ServiceCliff(
                                new Multiple(1.1, 0.8, 1.5, false),
                                new Multiple(1.3, 1.0, 1.7, false),
                                1.15),
                        new Multiple(0.9, 0.7, 1.2, false),
                        0.21,
                        new AnalysedCliff.Clients(
                                new ClientPolicy(300_000, 1), false, Redistribution.STAY),
                        Optional.of(
                                new AnalysedCliff.WorstShardCliff(
                                        "checkout-3", new Multiple(1.05, 0.9, 1.3, false))));
        return new CollapseRisk(
                SCOPE,
                new CollapseRisk.Load(OptionalDouble.of(0.11), OptionalDouble.of(0.3), 8),
                Optional.of(cliff),
                Optional.of(AnalysisTrigger.LATE_PART),
                RiskBand.VULNERABLE,
                new CollapseRisk.Outlook(
                        3_600_000_000L,
                        OptionalDouble.of(0.4),
                        Optional.of(new LoadForecast(1.2, 0.1, 3_600_000_000L)),
                        77),
                true,
                List.of("because"));
    }

    @Example
    void aCollapseRiskComesBack() {
        assertThat(Codecs.COLLAPSE_RISKS.decode(Codecs.COLLAPSE_RISKS.encode(risk())).orElseThrow())
                .isEqualTo(risk());
        assertEveryFieldIsSet(CollapseRisks.toAvro(risk()));
    }

    @Example
    void aMinuteBeforeTheFirstAnalysisComesBackWithoutNumbers() {
        CollapseRisk unknown =
                new CollapseRisk(
                        SCOPE,
                        new CollapseRisk.Load(OptionalDouble.empty(), OptionalDouble.empty(), 0),
                        Optional.empty(),
                        Optional.empty(),
                        RiskBand.UNKNOWN,
                        new CollapseRisk.Outlook(60, OptionalDouble.empty(), Optional.empty(), 0),
                        false,
                        List.of());
        assertThat(
                        Codecs.COLLAPSE_RISKS
                                .decode(Codecs.COLLAPSE_RISKS.encode(unknown))
                                .orElseThrow())
                .isEqualTo(unknown);
        assertThat(CollapseRisks.toAvro(unknown).getCollapseLoadMultiple()).isNull();
        assertThat(CollapseRisks.toAvro(unknown).getDeathSpiralRisk()).isNull();
    }

    private static Outcome outcome(double ratio) {
        return new Outcome(
                new Scenario.AsItIs(),
                new RatioEstimate(ratio, ratio / 2, ratio * 2),
                true,
                new Percentiles(1, 2, 3),
                new Percentiles(4, 5, 6),
                0.12,
                Trust.because(List.of(Trust.Reason.POLLED)));
    }

    @Example
    void anOutcomeFillsItsRow() {
        io.quotascope.wire.avro.WhatIfOutcome row =
                WhatIfOutcomes.toAvro(
                        new WhatIfOutcome(
                                SCOPE,
                                ANALYSED,
                                new WhatIfOutcome.Question("quota 0.30", ScenarioKind.QUOTA, 21),
                                new WhatIfOutcome.Figures(
                                        OptionalDouble.of(0.3),
                                        Optional.of(100_000L),
                                        Optional.of(0L),
                                        4,
                                        1),
                                outcome(0.4),
                                outcome(0.1),
                                Optional.of("cpu: 300m"),
                                List.of("needs more")));
        assertEveryFieldIsSet(row);
        assertThat(row.getBaselineThrottledPeriodRatioHigh()).isEqualTo(0.8);
        assertThat(row.getThrottledPeriodRatioHigh()).isEqualTo(0.2);
        assertThat(row.getTrust()).hasToString("doubtful");
    }

    @Example
    void aSavingsEstimateFillsItsRowAndWithoutAPriceItHasNoMoney() {
        FixSet pools = new FixSet(List.of(Fix.pools(2)), 1.5, 1.1, 2.0, 0.3);
        SavingsEstimate priced = savings(pools, true);
        assertEveryFieldIsSet(SavingsEstimates.toAvro(priced), "whole_cpus_after");
        assertThat(SavingsEstimates.toAvro(priced).getRecommendedChange())
                .isEqualTo("quota 0.30 cores a shard, at most 1 thread at once");
        assertThat(SavingsEstimates.toAvro(priced).getTailDelayUsAfter()).isEqualTo(6);
        assertThat(SavingsEstimates.toAvro(priced).getThrottledPeriodRatioAfterHigh())
                .isEqualTo(0.01);
        assertThat(SavingsEstimates.toAvro(priced).getReasons())
                .containsExactly("a figure", "a limit");
        assertThat(SavingsEstimates.toAvro(priced).getTrustReasons()).containsExactly("a limit");
        assertThat(SavingsEstimates.toAvro(priced).getAim()).hasToString("latency");
        assertThat(SavingsEstimates.toAvro(priced).getNeeds()).contains("a restart of each shard");
        assertThat(SavingsEstimates.toAvro(priced).getCommonErrorShare()).isEqualTo(0.7);
        assertThat(SavingsEstimates.toAvro(priced).getSavingsUsdPerYear()).isEqualTo(200);
        io.quotascope.wire.avro.SavingsEstimate unpriced =
                SavingsEstimates.toAvro(savings(pools, false));
        assertThat(unpriced.getSavingsUsdPerYear()).isNull();
        assertThat(unpriced.getPriceBookVersion()).isNull();
        assertThat(unpriced.getReclaimableCores()).isEqualTo(2);
    }

    @Example
    void aProposalPromisesRightSizingAndTuningAndNoNegativeCores() {
        FixSet pools = new FixSet(List.of(Fix.pools(2)), 1.5, 1.1, 2.0, 0.3);
        Proposal proposal = Proposals.of(SavingsEstimates.toAvro(savings(pools, true)));
        assertThat(proposal.freedCores()).contains(new Forecast.Predicted(4, 2, 6));
        assertThat(proposal.money().orElseThrow().usdPerYear())
                .isEqualTo(new Forecast.Predicted(400, 200, 600));
        io.quotascope.wire.avro.SavingsEstimate missing =
                SavingsEstimates.toAvro(savings(pools, true));
        missing.setRightSizingCores(-5.0);
        missing.setRightSizingCoresLow(-6.0);
        assertThat(Proposals.of(missing).freedCores()).isEmpty();
        missing.setRightSizingCores(0.0);
        assertThat(Proposals.of(missing).freedCores()).contains(new Forecast.Predicted(2, 0, 6));
    }

    @Example
    void aTotalTakesNoMoreThanTheReplayFrees() {
        FixSet pools = new FixSet(List.of(Fix.pools(2)), 2.5, 2, 3, 0.1);
        io.quotascope.wire.avro.SavingsEstimate row = SavingsEstimates.toAvro(savings(pools, true));
        // Of 5 needed 3 stay, where the gain alone would leave 2: the part is one of gain 5 / 3.
        FleetSavings.Part part = FleetTotals.part(row).orElseThrow().tuning().orElseThrow();
        assertThat(part.gain()).isCloseTo(5 / 3.0, within(1e-12));
        assertThat(FleetTotals.part(row).orElseThrow().taken()).isEmpty();
        row.setReclaimableCores(-1.0);
        row.setReclaimableCoresLow(-3.0);
        row.setReclaimableCoresHigh(-0.5);
        assertThat(FleetTotals.part(row).orElseThrow().tuning()).isEmpty();
        assertThat(FleetTotals.part(row).orElseThrow().taken()).hasValue(new Estimate(1, 0.5, 3));
        assertThat(FleetTotals.part(row).orElseThrow().usdPerCoreYear()).isPresent();
    }

    private static SavingsEstimate savings(FixSet set, boolean priced) {
        Estimate cores = new Estimate(2, 1, 3);
        return new SavingsEstimate(
                SCOPE,
                ANALYSED,
                new SavingsEstimate.Choice("thread pools", 1, true, Optional.of(set)),
                Target.Aim.LATENCY,
                new SavingsEstimate.Reservation(
                        OptionalDouble.of(6),
                        OptionalDouble.of(3),
                        OptionalDouble.of(1.9),
                        1.4,
                        OptionalDouble.of(5),
                        OptionalDouble.of(2)),
                Optional.of(change(set)),
                Optional.of(new SavingsEstimate.Freed(cores, cores)),
                priced
                        ? Optional.of(
                                new SavingsEstimate.Value(
                                        "default",
                                        3,
                                        cores.times(100),
                                        cores.times(100),
                                        OptionalDouble.of(0)))
                        : Optional.empty(),
                LatencyObjective.ASSUMED,
                Kappa.PRIOR,
                Trust.Verdict.SOUND,
                Optional.of("GOMAXPROCS=2"),
                List.of(Sentence.figure("a figure"), Sentence.limit("a limit")));
    }

    private static SavingsEstimate.Change change(FixSet set) {
        Setting setting =
                new Setting(new CpuLimit.Quota(30_000, 100_000, 0, 0), OptionalInt.of(1), false);
        return new SavingsEstimate.Change(
                new Candidate(
                        Optional.of(set),
                        setting,
                        Candidate.DecidedBy.GAIN,
                        true,
                        2,
                        outcome(0.005),
                        OptionalDouble.of(1.6)),
                outcome(0.4),
                Target.DEFAULT.atPeak(1.7));
    }

    private static void assertEveryFieldIsSet(SpecificRecord row, String... leftOut) {
        for (Schema.Field field : row.getSchema().getFields()) {
            if (List.of(leftOut).contains(field.name())) {
                continue;
            }
            assertThat(row.get(field.pos()))
                    .as("%s.%s", row.getSchema().getName(), field.name())
                    .isNotNull();
        }
    }
}
