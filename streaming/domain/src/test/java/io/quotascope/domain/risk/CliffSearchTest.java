package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class CliffSearchTest {
    private static final RiskPolicy UNBIASED = unbiased(RiskPolicy.DEFAULT.replayUsMin());

    private static RiskPolicy unbiased(long replayUsMin) {
        RiskPolicy fitted = RiskPolicy.DEFAULT;
        return new RiskPolicy(
                fitted.collapsedRatio(),
                fitted.pulseUs(),
                fitted.pulseQuotas(),
                replayUsMin,
                fitted.multipleMin(),
                fitted.multipleMax(),
                fitted.precision(),
                Optional.empty(),
                fitted.deviationKnown(),
                fitted.deviationAssumed(),
                fitted.freedom(),
                fitted.assumedClients());
    }

    private static Allowance quotaOf(double cores) {
        return Allowance.quota(new CpuLimit.Quota(Math.round(cores * 100_000), 100_000, 0, 0), 64);
    }

    private static DemandSeries constant(double cores) {
        double[] slots = new double[3000];
        Arrays.fill(slots, cores);
        return DemandSeries.of(slots, DemandSeries.Provenance.RECORDED);
    }

    private static DemandSeries bursty(long seed, double mean) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] slots = new double[3000];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = random.nextDouble() < 0.15 ? mean / 0.15 * 2 * random.nextDouble() : 0;
        }
        return DemandSeries.of(slots, DemandSeries.Provenance.RECORDED).withMean(mean);
    }

    private static Cliff cliff(DemandSeries demand, Allowance allowance, ClientPolicy clients) {
        return new CliffSearch(UNBIASED)
                .of(
                        new ShardSituation(
                                List.of(demand), allowance, Optional.of(clients), CostGrowth.NONE));
    }

    /**
     * Steady demand waits only when it exceeds the quota: from there on the queue grows for good.
     */
    @Property(tries = 40)
    void steadyDemandCollapsesAtItsQuota(
            @ForAll @DoubleRange(min = 0.2, max = 8) double cores,
            @ForAll @DoubleRange(min = 1.2, max = 6) double room) {
        Cliff cliff = cliff(constant(cores), quotaOf(cores * room), new ClientPolicy(200_000, 2));
        assertThat(cliff.collapse().value()).isCloseTo(room, withinPercentage(4));
        assertThat(cliff.band()).isNotEqualTo(RiskBand.COLLAPSED);
    }

    /**
     * After a pulse every attempt times out, so the load is 1 + r times itself until it fits again.
     * Just below that load the backlog shrinks slowly, hence the long replay.
     */
    @Property(tries = 10)
    void steadyDemandComesBackAtTheQuotaOverAllAttempts(
            @ForAll @IntRange(min = 1, max = 3) int retries,
            @ForAll @DoubleRange(min = 0.5, max = 4) double cores) {
        ShardSituation shard =
                new ShardSituation(
                        List.of(constant(cores)),
                        quotaOf(cores * 2),
                        Optional.of(new ClientPolicy(200_000, retries)),
                        CostGrowth.NONE);
        Cliff cliff = new CliffSearch(unbiased(300_000_000)).of(shard);
        assertThat(cliff.recovery().value()).isCloseTo(2.0 / (1 + retries), withinPercentage(12));
    }

    @Example
    void aLoadThatAPulseBreaksForGoodIsVulnerable() {
        // 1 of 2 cores, three attempts each: 3 cores wanted after the pulse, and only 2 to be had.
        assertThat(cliff(constant(1), quotaOf(2), new ClientPolicy(200_000, 2)).band())
                .isEqualTo(RiskBand.VULNERABLE);
        assertThat(cliff(constant(1), quotaOf(20), new ClientPolicy(200_000, 2)).band())
                .isEqualTo(RiskBand.STABLE);
    }

    @Property(tries = 40)
    void recoveryIsNeverAboveCollapse(
            @ForAll @LongRange(min = 0, max = 1L << 40) long seed,
            @ForAll @DoubleRange(min = 0.3, max = 3) double mean) {
        Cliff cliff = cliff(bursty(seed, mean), quotaOf(mean * 2), new ClientPolicy(200_000, 2));
        assertThat(cliff.recovery().value())
                .isLessThanOrEqualTo(cliff.collapse().value() * RiskPolicy.DEFAULT.precision());
        assertThat(cliff.collapse().low()).isLessThan(cliff.collapse().value());
        assertThat(cliff.collapse().high()).isGreaterThan(cliff.collapse().value());
    }

    @Example
    void burstsBringTheCliffNearer() {
        ClientPolicy clients = new ClientPolicy(100_000, 2);
        double steady = cliff(constant(1), quotaOf(3), clients).collapse().value();
        double bursts = cliff(bursty(4, 1), quotaOf(3), clients).collapse().value();
        assertThat(bursts).isLessThan(0.95 * steady);
    }

    @Example
    void whatNeverCollapsesIsBeyondAndSaysSo() {
        Cliff cliff = cliff(constant(0.01), quotaOf(8), new ClientPolicy(200_000, 2));
        assertThat(cliff.collapse().beyond()).isTrue();
        assertThat(cliff.band()).isEqualTo(RiskBand.STABLE);
        assertThat(cliff.reasons()).anyMatch(reason -> reason.contains("no collapse up to 16"));
    }

    @Example
    void alreadyCollapsedServicesSaySo() {
        Cliff cliff = cliff(constant(2), quotaOf(1.5), new ClientPolicy(200_000, 2));
        assertThat(cliff.band()).isEqualTo(RiskBand.COLLAPSED);
        assertThat(cliff.collapse().value()).isCloseTo(0.75, withinPercentage(4));
    }

    @Example
    void assumedClientsAreNamedAndWidenTheInterval() {
        ShardSituation assumed =
                new ShardSituation(
                        List.of(constant(1)), quotaOf(2), Optional.empty(), CostGrowth.NONE);
        Cliff cliff = new CliffSearch(UNBIASED).of(assumed);
        Cliff known = cliff(constant(1), quotaOf(2), RiskPolicy.DEFAULT.assumedClients());
        assertThat(cliff.clientsAssumed()).isTrue();
        assertThat(cliff.reasons()).anyMatch(reason -> reason.contains("200 ms, 2"));
        assertThat(cliff.collapse().value()).isEqualTo(known.collapse().value());
        assertThat(cliff.collapse().low()).isLessThan(known.collapse().low());
    }

    /** Work that grows dearer fills the quota sooner. */
    @Example
    void costThatGrowsWithConcurrencyBringsTheCliffNearer() {
        ClientPolicy clients = new ClientPolicy(200_000, 2);
        ShardSituation dear =
                new ShardSituation(
                        List.of(bursty(9, 1)),
                        quotaOf(2),
                        Optional.of(clients),
                        new CostGrowth(0.4, 2));
        double dearer = new CliffSearch(UNBIASED).of(dear).collapse().value();
        assertThat(dearer).isLessThan(cliff(bursty(9, 1), quotaOf(2), clients).collapse().value());
    }

    private static Cliff fitted(double mean, CostGrowth cost, boolean priceKnown, int retries) {
        return new CliffSearch(RiskPolicy.DEFAULT)
                .of(
                        new ShardSituation(
                                List.of(bursty(9, mean).pricedAt(cost)),
                                quotaOf(2),
                                Optional.of(new ClientPolicy(200_000, retries)),
                                cost,
                                priceKnown));
    }

    /** Half as much load again leaves a smaller multiple, whatever the line. */
    @Property(tries = 20)
    void moreLoadBringsTheFittedCliffNearer(
            @ForAll @DoubleRange(min = 0.3, max = 1.2) double mean) {
        Multiple before = fitted(mean, CostGrowth.NONE, false, 2).collapse();
        Multiple after = fitted(1.5 * mean, CostGrowth.NONE, false, 2).collapse();
        assertThat(after.value()).isLessThan(0.9 * before.value());
    }

    /** A fifth of a second at twice the quota every three seconds: a backlog that runs crowded. */
    private static DemandSeries crowds() {
        double[] slots = new double[3000];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = slot % 300 < 20 ? 4 : 0.2;
        }
        return DemandSeries.of(slots, DemandSeries.Provenance.RECORDED);
    }

    private static Multiple crowded(DemandSeries demand, CostGrowth cost, boolean priceKnown) {
        return new CliffSearch(RiskPolicy.DEFAULT)
                .of(
                        new ShardSituation(
                                List.of(demand.pricedAt(cost)),
                                new Allowance(quotaOf(2).quota(), 16),
                                Optional.of(new ClientPolicy(1_000_000, 2)),
                                cost,
                                priceKnown))
                .collapse();
    }

    /** Where work never runs on more cores than the quota has, its price makes no difference. */
    @Example
    void whereThePriceMattersNotKnowingItWidensTheInterval() {
        Multiple calm = crowded(constant(0.5), CostGrowth.NONE, false);
        Multiple crowds = crowded(crowds(), CostGrowth.NONE, false);
        double line = CliffCalibration.FITTED.stated().collapseReach();
        assertThat(calm.high() / calm.low()).isCloseTo(Math.exp(2 * line), withinPercentage(4));
        assertThat(crowds.high() / crowds.low()).isGreaterThan(1.15 * calm.high() / calm.low());
    }

    @Example
    void aMeasuredPriceMakesTheFittedCliffSurerWhereItMatters() {
        Multiple known = crowded(crowds(), new CostGrowth(0.3, 2), true);
        Multiple unknown = crowded(crowds(), CostGrowth.NONE, false);
        assertThat(known.high() / known.low()).isLessThan(unknown.high() / unknown.low());
    }

    @Example
    void moreRetriesMakeTheWayBackLonger() {
        double once = fitted(1, CostGrowth.NONE, false, 1).recovery().value();
        double often = fitted(1, CostGrowth.NONE, false, 4).recovery().value();
        assertThat(often).isLessThan(0.6 * once);
    }
}
