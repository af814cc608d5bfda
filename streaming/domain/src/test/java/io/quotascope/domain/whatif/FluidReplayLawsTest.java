package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;

class FluidReplayLawsTest {
    private final FluidReplay replay = new FluidReplay();

    @Property(tries = 300)
    void whatArrivesIsServedOrWaits(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs,
            @ForAll @LongRange(min = 1_000, max = 150_000) long periodUs,
            @ForAll @DoubleRange(min = 0.5, max = 32) double cap,
            @ForAll @IntRange(min = 0, max = 3) int retries) {
        ReplayOutcome outcome =
                replay.run(
                        ReplayCase.of(demand, allowance(quotaUs, periodUs, cap))
                                .withClients(new ClientPolicy(50_000, retries)));
        assertThat(outcome.wantedCpuUs())
                .isCloseTo(outcome.servedCpuUs() + outcome.backlogCpuUs(), Offset.offset(1e-3));
        assertThat(outcome.wantedCpuUs())
                .isCloseTo(
                        demand.meanCores() * demand.slots() * DemandSeries.SLOT_US
                                + outcome.timeouts().orElseThrow().retriedCpuUs(),
                        Offset.offset(1e-3));
        assertThat(outcome.throttledPeriods()).isLessThanOrEqualTo(outcome.periods());
        long wallUs = demand.slots() * DemandSeries.SLOT_US;
        assertThat(outcome.usedCpuUs()).isLessThanOrEqualTo(cap * wallUs + 1e-3);
        assertThat(outcome.usedCpuUs())
                .isLessThanOrEqualTo(quotaUs * (1.0 + wallUs / periodUs) + 1e-3);
        assertThat(outcome.throttledWallUs()).isBetween(0.0, (double) wallUs);
    }

    @Property(tries = 200)
    void moreQuotaServesNoLessAndDelaysNothingLonger(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs,
            @ForAll @LongRange(min = 0, max = 200_000) long moreUs,
            @ForAll @DoubleRange(min = 0.5, max = 32) double cap) {
        ReplayOutcome less = replay.run(ReplayCase.of(demand, allowance(quotaUs, 100_000, cap)));
        ReplayOutcome more =
                replay.run(ReplayCase.of(demand, allowance(quotaUs + moreUs, 100_000, cap)));
        assertThat(more.servedCpuUs()).isGreaterThanOrEqualTo(less.servedCpuUs() - 1e-3);
        assertThat(more.backlogCpuUsMax()).isLessThanOrEqualTo(less.backlogCpuUsMax() + 1e-3);
        assertThat(more.delay().p99()).isLessThanOrEqualTo(less.delay().p99());
        assertThat(more.throttledPeriods()).isLessThanOrEqualTo(less.throttledPeriods());
    }

    @Property(tries = 200)
    void coresHaveNoUnit(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs,
            @ForAll @DoubleRange(min = 0.5, max = 32) double cap) {
        ReplayOutcome one = replay.run(ReplayCase.of(demand, allowance(quotaUs, 100_000, cap)));
        ReplayOutcome four =
                replay.run(
                        ReplayCase.of(demand.times(4), allowance(4 * quotaUs, 100_000, 4 * cap)));
        assertThat(four.throttledPeriods()).isEqualTo(one.throttledPeriods());
        assertThat(four.periods()).isEqualTo(one.periods());
        assertThat(four.delay()).isEqualTo(one.delay());
        assertThat(four.servedCpuUs()).isCloseTo(4 * one.servedCpuUs(), Offset.offset(1e-3));
    }

    @Property(tries = 300)
    void theFastPathTimesOutTheSame(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs,
            @ForAll @LongRange(min = 1_000, max = 150_000) long periodUs,
            @ForAll @DoubleRange(min = 0.5, max = 32) double cap,
            @ForAll @DoubleRange(min = 0, max = 0.5) double kappa,
            @ForAll @IntRange(min = 0, max = 3) int retries) {
        ReplayCase given =
                ReplayCase.of(demand, allowance(quotaUs, periodUs, cap))
                        .withClients(new ClientPolicy(50_000, retries))
                        .withCost(new CostGrowth(kappa, 1));
        double slowly = replay.run(given).timeouts().orElseThrow().tailTimedOutRatio();
        assertThat(replay.tailTimedOutRatio(given)).isEqualTo(slowly);
    }

    @Property(tries = 200)
    void theFastPathCountsTheSame(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs,
            @ForAll @IntRange(min = 1, max = 20) int periodSlots,
            @ForAll @DoubleRange(min = 0.5, max = 32) double cap) {
        Allowance allowance = allowance(quotaUs, periodSlots * DemandSeries.SLOT_US, cap);
        assertThat(replay.throttledPeriodRatio(demand, allowance))
                .isEqualTo(
                        new FluidReplay()
                                .run(ReplayCase.of(demand, allowance))
                                .throttledPeriodRatio());
    }

    @Property(tries = 200)
    void aQuotaAboveAllDemandIsNoQuota(@ForAll("demands") DemandSeries demand) {
        Allowance ample = allowance((long) (demand.maxCores() * 100_000) + 1, 100_000, 64);
        ReplayOutcome outcome = replay.run(ReplayCase.of(demand, ample));
        assertThat(outcome.throttledPeriods()).isZero();
        assertThat(outcome.delay().p99()).isZero();
    }

    @Property(tries = 100)
    void aCostThatDoesNotGrowIsNoCost(
            @ForAll("demands") DemandSeries demand,
            @ForAll @LongRange(min = 1_000, max = 400_000) long quotaUs) {
        ReplayCase plain = ReplayCase.of(demand, allowance(quotaUs, 100_000, 8));
        ReplayOutcome priced = replay.run(plain.withCost(new CostGrowth(0.4, 1_000)));
        assertThat(priced).isEqualTo(replay.run(plain));
        ReplayOutcome dear = replay.run(plain.withCost(new CostGrowth(0.4, 1)));
        assertThat(dear.usedCpuUs()).isGreaterThanOrEqualTo(dear.servedCpuUs() - 1e-3);
        assertThat(dear.servedCpuUs()).isLessThanOrEqualTo(priced.servedCpuUs() + 1e-3);
    }

    @Provide
    Arbitrary<DemandSeries> demands() {
        return Arbitraries.doubles()
                .between(0, 12)
                .ofScale(2)
                .array(double[].class)
                .ofMinSize(1)
                .ofMaxSize(200)
                .map(cores -> DemandSeries.of(cores, DemandSeries.Provenance.RECORDED));
    }

    private static Allowance allowance(long quotaUs, long periodUs, double cap) {
        return Allowance.quota(new CpuLimit.Quota(quotaUs, periodUs, 0, 0), cap);
    }
}
