package io.quotascope.domain.whatif.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.TimeStructure;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RecommenderTest {
    /** One core for 40 ms in every 100 ms: a period needs 40 ms. */
    private static final DemandSeries STEADY = every(10, 4, 1.0);

    /** Six cores for 20 ms in every second. */
    private static final DemandSeries PULSED = every(100, 2, 6.0);

    @Test
    void anOversizedQuotaIsCutToWhatThePeakNeeds() {
        // 400 ms a period for demand of 40 ms: the least tried is a quarter, 100 ms.
        Recommendation advice = recommend(STEADY, 400_000, HeadroomModel.UNKNOWN, Target.DEFAULT);
        assertThat(advice.reached()).isTrue();
        assertThat(advice.setting().quota().quotaUs()).isEqualTo(100_000);
        assertThat(advice.coresSaved()).isEqualTo(3.0);
        assertThat(advice.effort()).isEqualTo(Effort.SETTING);
        assertThat(advice.reasons())
                .anyMatch(reason -> reason.contains("3.00 of 4.00 cores a shard are free"))
                .contains("headroom before collapse is not known");
    }

    @Test
    void headroomBoundsWhatMayBeCut() {
        HeadroomModel threeCores =
                after ->
                        OptionalDouble.of(
                                after.allowance().sustainedCores()
                                        / 3.0
                                        * Target.DEFAULT.headroom());
        Recommendation advice = recommend(STEADY, 400_000, threeCores, Target.DEFAULT);
        // 0.75 is not among the multiples tried: 0.8 x 4 cores.
        assertThat(advice.setting().cores()).isEqualTo(3.2);
        assertThat(advice.headroom()).isPresent();
    }

    @Test
    void rarePeaksAreMetByBurstAndNotByMoreCores() {
        // 120 ms in one period of ten; 100 ms of quota throttle it, 50 ms with 50 ms of burst too.
        Recommendation advice = recommend(PULSED, 100_000, HeadroomModel.UNKNOWN, Target.DEFAULT);
        assertThat(advice.now().throttledPeriodRatio().value()).isGreaterThan(0.05);
        assertThat(advice.reached()).isTrue();
        assertThat(advice.setting().quota().burstUs()).isPositive();
        assertThat(advice.setting().cores()).isLessThan(1.0);
        assertThat(advice.after().throttledPeriodRatio().value()).isLessThanOrEqualTo(0.01);
    }

    @Test
    void takenAsLatencyTheCoresStay() {
        Recommendation advice =
                recommend(
                        PULSED,
                        100_000,
                        HeadroomModel.UNKNOWN,
                        Target.DEFAULT.with(Target.Aim.LATENCY));
        assertThat(advice.reached()).isTrue();
        assertThat(advice.setting().cores()).isEqualTo(1.0);
        assertThat(advice.after().delay().p99()).isLessThan(advice.now().delay().p99());
    }

    @Test
    void whatNothingHelpsIsSaid() {
        HeadroomModel never = after -> OptionalDouble.of(1.0);
        Recommendation advice = recommend(STEADY, 400_000, never, Target.DEFAULT);
        assertThat(advice.reached()).isFalse();
        assertThat(advice.coresSaved()).isZero();
        assertThat(advice.effort()).isEqualTo(Effort.NONE);
        assertThat(advice.reasons())
                .contains("no setting up to four times the quota reaches the target");
    }

    @Test
    void aPeakNeedsMoreThanToday() {
        Recommendation today = recommend(STEADY, 100_000, HeadroomModel.UNKNOWN, Target.DEFAULT);
        Recommendation peak =
                recommend(STEADY, 100_000, HeadroomModel.UNKNOWN, Target.DEFAULT.atPeak(3));
        assertThat(peak.setting().cores()).isGreaterThan(today.setting().cores());
    }

    private static Recommendation recommend(
            DemandSeries demand, long quotaUs, HeadroomModel risk, Target target) {
        CpuLimit.Quota quota = new CpuLimit.Quota(quotaUs, 100_000, 0, 0);
        double[] usage = demand.toArray();
        BucketTally tally = new BucketTally();
        for (double cores : usage) {
            tally.add(UsageLayout.bucket(Math.round(cores * 10_000), 10_000), 1);
        }
        double ratio =
                new io.quotascope.domain.whatif.FluidReplay()
                        .throttledPeriodRatio(
                                demand, io.quotascope.domain.whatif.Allowance.quota(quota, 16));
        DemandEvidence evidence =
                new DemandEvidence(
                        tally.toCounts(),
                        demand.meanCores(),
                        new TimeStructure(0, new double[8], new boolean[8]),
                        6,
                        new ThrottlingSums(6, 600, Math.round(600 * ratio), 0, 0, 0, 0, 0, 0, 0, 0),
                        Optional.of(quota),
                        16,
                        false);
        WhatIf whatIf = WhatIf.of(evidence, new DemandEnsemble(List.of(demand)), 0);
        return Recommender.of(whatIf, risk, target).orElseThrow();
    }

    private static DemandSeries every(int slots, int busy, double cores) {
        double[] series = new double[6_000];
        for (int slot = 0; slot < series.length; slot++) {
            series[slot] = slot % slots < busy ? cores : 0.0;
        }
        return DemandSeries.of(series, DemandSeries.Provenance.RECORDED);
    }
}
