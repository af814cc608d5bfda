package io.quotascope.domain.savings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

class JointGainsTest {
    private static final Allowance NOW =
            Allowance.quota(new CpuLimit.Quota(400_000, 100_000, 0, 0), 64);
    private static final Kappa FREE = new Kappa(0, true);

    private static DemandSeries steady(double cores) {
        double[] slots = new double[1000];
        Arrays.fill(slots, cores);
        return DemandSeries.of(slots, DemandSeries.Provenance.RECORDED);
    }

    /** Bursts of many parallel tasks: one slot in ten wants several times the quota. */
    private static DemandSeries bursts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] slots = new double[2000];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = random.nextDouble() < 0.1 ? 8 + 12 * random.nextDouble() : 0.2;
        }
        return DemandSeries.of(slots, DemandSeries.Provenance.RECORDED);
    }

    /** Served without delay as long as it fits into the quota: 4 cores / 1 core. */
    @Example
    void steadyWorkIsServedUpToTheQuota() {
        double capacity =
                new CapacitySearch().of(steady(1), NOW, CostGrowth.NONE, LatencyObjective.ASSUMED);
        assertThat(capacity).isCloseTo(4, withinPercentage(5));
    }

    @Example
    void priceOfConcurrencyIsTakenOffBeforeAndPutOnAfter() {
        // kappa 0.5 at 4 cores: 8 cores used are 8 / 1.5 of work.
        CostGrowth cost = new CostGrowth(0.5, 4);
        assertThat(steady(8).pricedAt(cost).cores(0)).isCloseTo(8 / 1.5, within(1e-12));
        assertThat(steady(3).pricedAt(cost).cores(0)).isEqualTo(3);
        assertThat(steady(8).pricedAt(cost).meanUsedAt(cost)).isCloseTo(8, within(1e-12));
        assertThat(steady(3).pricedAt(cost).meanUsedAt(cost)).isEqualTo(3);
    }

    /** Without a price of concurrency a cap at the quota serves no more than the quota did. */
    @Property(tries = 15)
    void aCapAloneGainsLittleWhereWorkCostsTheSame(@ForAll @LongRange(max = 1L << 40) long seed) {
        FixSet cap = gains(seed, FREE, List.of(Fix.concurrencyCap(4))).get(0);
        assertThat(cap.gain()).isBetween(0.5, 1.35);
    }

    @Property(tries = 10)
    void aCapGainsMoreTheDearerConcurrencyIs(@ForAll @LongRange(max = 1L << 40) long seed) {
        List<Fix> cap = List.of(Fix.concurrencyCap(4));
        double cheap = gains(seed, new Kappa(0.2, true), cap).get(0).gain();
        double dear = gains(seed, new Kappa(0.6, true), cap).get(0).gain();
        assertThat(dear).isGreaterThan(cheap * 1.02);
    }

    /** The tightest cap holds, so a second cap adds nothing: gains are not additive. */
    @Example
    void twoFixesForOneIllnessGainNoMoreThanOne() {
        List<FixSet> sets = gains(3, Kappa.PRIOR, List.of(Fix.concurrencyCap(4), Fix.pools(6)));
        assertThat(sets).hasSize(3);
        FixSet cap = sets.get(0);
        FixSet both = sets.get(2);
        // The replays are the same to the last bit; what differs is how far such replays are off.
        double capOff = GainError.of(cap.fixes(), false).middle(4);
        double bothOff = GainError.of(both.fixes(), false).middle(4);
        assertThat(both.gain()).isCloseTo(cap.gain() * Math.exp(bothOff - capOff), within(1e-9));
        assertThat(both.savedShare()).isLessThan(cap.savedShare() + sets.get(1).savedShare());
    }

    @Property(tries = 50)
    void theOrderOfFixesDoesNotMatter(@ForAll @LongRange(max = 1L << 40) long seed) {
        List<Fix> fixes =
                new ArrayList<>(
                        List.of(
                                Fix.pools(6),
                                Fix.period(20_000),
                                Fix.burst(100_000),
                                Fix.concurrencyCap(4)));
        Allowance once = Fix.applyAll(NOW, fixes);
        Collections.shuffle(fixes, new java.util.Random(seed));
        assertThat(Fix.applyAll(NOW, fixes)).isEqualTo(once);
        assertThat(Fix.applyAll(NOW, List.of())).isEqualTo(NOW);
    }

    @Example
    void aShorterPeriodKeepsTheQuotaCores() {
        Allowance after = Fix.applyAll(NOW, List.of(Fix.period(20_000)));
        assertThat(after.quota().orElseThrow().quotaUs()).isEqualTo(80_000);
        assertThat(after.sustainedCores()).isEqualTo(NOW.sustainedCores());
    }

    @Property(tries = 20)
    void anUnmeasuredPriceWidensTheInterval(
            @ForAll @DoubleRange(min = 0.1, max = 0.6) double kappa) {
        List<Fix> cap = List.of(Fix.concurrencyCap(4));
        FixSet measured = gains(5, new Kappa(kappa, true), cap).get(0);
        FixSet assumed = gains(5, new Kappa(kappa, false), cap).get(0);
        assertThat(assumed.gain()).isEqualTo(measured.gain());
        assertThat(assumed.gainLow()).isLessThan(measured.gainLow());
        assertThat(assumed.gainHigh()).isGreaterThan(measured.gainHigh());
    }

    /** Pools are foreseen best; what was not simulated keeps the prototype's wide interval. */
    @Example
    void theErrorOfASetIsThatOfItsKind() {
        List<Fix> pools = List.of(Fix.pools(6));
        List<Fix> cap = List.of(Fix.concurrencyCap(4));
        List<Fix> both = List.of(Fix.concurrencyCap(4), Fix.pools(6));
        List<Fix> burst = List.of(Fix.burst(1_000));
        assertThat(GainError.of(both, true)).isEqualTo(GainError.of(pools, true));
        assertThat(GainError.of(cap, false).logDeviation())
                .isGreaterThan(GainError.of(pools, false).logDeviation());
        assertThat(GainError.of(burst, false).logDeviation())
                .isGreaterThan(GainError.of(cap, false).logDeviation());
        assertThat(GainError.of(List.of(Fix.pinning(4)), true)).isEqualTo(GainError.of(cap, true));
    }

    /** On few cores a cap gains less than its replay; the value is never above the replay. */
    @Property(tries = 50)
    void theErrorGrowsWithTheCoresOfItsFitAndNotBeyond(
            @ForAll @DoubleRange(min = 0.1, max = 100) double cores,
            @ForAll @DoubleRange(min = 1, max = 10) double more) {
        GainError error = GainError.of(List.of(Fix.concurrencyCap(4)), true);
        assertThat(error.middle(cores * more)).isGreaterThanOrEqualTo(error.middle(cores));
        assertThat(error.middle(cores)).isBetween(error.middle(5), error.middle(20));
    }

    @Property(tries = 20)
    void theValueLiesWithinItsInterval(@ForAll @LongRange(max = 1L << 40) long seed) {
        for (FixSet set : gains(seed, Kappa.PRIOR, List.of(Fix.concurrencyCap(4), Fix.pools(6)))) {
            assertThat(set.gain()).isBetween(set.gainLow(), set.gainHigh());
        }
    }

    @Example
    void tooManyFixesAreRefused() {
        List<Fix> many = Collections.nCopies(7, Fix.burst(1_000));
        assertThatThrownBy(() -> gains(1, FREE, many)).hasMessageContaining("7 fixes");
    }

    private static List<FixSet> gains(long seed, Kappa kappa, List<Fix> fixes) {
        return new JointGains()
                .of(
                        List.of(bursts(seed), bursts(seed + 1)),
                        NOW,
                        fixes,
                        kappa,
                        LatencyObjective.ASSUMED);
    }
}
