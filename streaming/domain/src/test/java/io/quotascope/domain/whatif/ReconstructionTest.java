package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ReconstructionTest {
    private static final CpuLimit.Quota ONE_CORE = new CpuLimit.Quota(100_000, 100_000, 0, 0);
    private static final CpuLimit.Quota AMPLE = new CpuLimit.Quota(2_000_000, 100_000, 0, 0);

    @Property(tries = 20)
    void syntheticSeriesHaveTheMeanAndTheDistributionOfTheEvidence(
            @ForAll @LongRange(min = 1, max = 1_000) long seed) {
        DemandSeries demand = MeasuredDemand.bursts(seed, 6_000);
        DemandEvidence evidence = MeasuredDemand.under(demand, AMPLE, 16);
        DemandEnsemble ensemble = Reconstruction.synthesize(evidence, seed);
        assertThat(ensemble.series()).hasSize(Reconstruction.SERIES);
        double[] measured = sorted(demand);
        for (DemandSeries series : ensemble.series()) {
            assertThat(series.meanCores())
                    .isCloseTo(demand.meanCores(), Offset.offset(0.01 * demand.meanCores()));
            double[] drawn = sorted(series);
            for (int percent : new int[] {5, 25, 50, 75, 90, 99}) {
                // A bucket is 1/16 wide; half of that and the steps of the sample.
                double expected = measured[measured.length * percent / 100];
                assertThat(drawn[drawn.length * percent / 100])
                        .as("p%d", percent)
                        .isCloseTo(expected, Offset.offset(0.07 * expected + 0.01));
            }
        }
    }

    @Property(tries = 20)
    void syntheticSeriesHaveTheAutocovarianceOfTheEvidence(
            @ForAll @LongRange(min = 1, max = 1_000) long seed) {
        DemandSeries demand = MeasuredDemand.bursts(seed, 6_000);
        DemandEvidence evidence = MeasuredDemand.under(demand, AMPLE, 16);
        DemandEnsemble ensemble = Reconstruction.synthesize(evidence, seed);
        TimeStructure structure = evidence.structure();
        for (int lag = 0; lag < 4; lag++) {
            double drawn = 0.0;
            for (DemandSeries series : ensemble.series()) {
                drawn +=
                        MeasuredDemand.covariance(series.toArray(), 1 << lag)
                                / ensemble.series().size();
            }
            // Sums of exponentials fall steepest at once; bursts of like length do not. None of the
            // thousand seeds is farther off than this.
            assertThat(drawn / structure.variance())
                    .as("lag %d", 1 << lag)
                    .isCloseTo(
                            structure.covariance()[lag] / structure.variance(),
                            Offset.offset(0.17));
        }
    }

    @Test
    void theSameEvidenceAndSeedAlwaysGiveTheSame() {
        DemandEvidence evidence =
                MeasuredDemand.under(MeasuredDemand.bursts(3, 6_000), ONE_CORE, 16);
        long seed = Reconstruction.seed("checkout", 1_700_000_060_000_000L);
        assertThat(Reconstruction.synthesize(evidence, seed))
                .isEqualTo(Reconstruction.synthesize(evidence, seed));
        assertThat(Reconstruction.synthesize(evidence, seed + 1))
                .isNotEqualTo(Reconstruction.synthesize(evidence, seed));
        // FNV-1a 64 of the two texts, by another program.
        assertThat(Reconstruction.seed("a", 0)).isEqualTo(fnv("a:0"));
        assertThat(Reconstruction.seed("a", 1)).isNotEqualTo(Reconstruction.seed("b", 1));
    }

    private static long fnv(String text) {
        java.math.BigInteger hash = new java.math.BigInteger("cbf29ce484222325", 16);
        for (char letter : text.toCharArray()) {
            hash = hash.xor(java.math.BigInteger.valueOf(letter));
            hash = hash.multiply(java.math.BigInteger.valueOf(0x100000001b3L));
            hash = hash.mod(java.math.BigInteger.ONE.shiftLeft(64));
        }
        return hash.longValue();
    }

    @Test
    void unwoundDemandThrottlesLikeWhatWasObserved() {
        CpuLimit.Quota quota = new CpuLimit.Quota(150_000, 100_000, 0, 0);
        double unwoundMiss = 0.0;
        double usageMiss = 0.0;
        for (long seed = 1; seed <= 10; seed++) {
            DemandEvidence evidence =
                    MeasuredDemand.under(MeasuredDemand.bursts(seed, 6_000), quota, 16);
            DemandEnsemble unwound = Reconstruction.synthesize(evidence, seed);
            assertThat(unwound.meanCores())
                    .isCloseTo(evidence.meanCores(), Offset.offset(0.02 * evidence.meanCores()));
            DemandEvidence asIfNotThrottled =
                    new DemandEvidence(
                            evidence.usage(),
                            evidence.meanCores(),
                            evidence.structure(),
                            6,
                            ThrottlingSums.ZERO,
                            Optional.of(quota),
                            16,
                            false);
            double observed = evidence.throttledPeriodRatio();
            unwoundMiss += Math.abs(ratio(unwound, quota) - observed);
            usageMiss +=
                    Math.abs(
                            ratio(Reconstruction.synthesize(asIfNotThrottled, seed), quota)
                                    - observed);
        }
        assertThat(unwoundMiss).isLessThan(0.75 * usageMiss);
    }

    private static double ratio(DemandEnsemble ensemble, CpuLimit.Quota quota) {
        FluidReplay replay = new FluidReplay();
        return ensemble.series().stream()
                .mapToDouble(one -> replay.throttledPeriodRatio(one, Allowance.quota(quota, 16)))
                .average()
                .orElseThrow();
    }

    @Test
    void anExemplarReplaysAsItWas() {
        DemandSeries demand = MeasuredDemand.bursts(11, 1_000);
        byte[] samples = new byte[1_000];
        for (int slot = 0; slot < samples.length; slot++) {
            long usage = Math.round(demand.cores(slot) * 1e7);
            samples[slot] = (byte) UsageLayout.bucket(usage, 10_000_000);
        }
        DemandSeries decoded =
                Reconstruction.decode(PackedBytes.of(samples), demand.meanCores()).orElseThrow();
        assertThat(decoded.provenance()).isEqualTo(DemandSeries.Provenance.EXEMPLAR);
        assertThat(decoded.meanCores()).isCloseTo(demand.meanCores(), Offset.offset(1e-9));
        FluidReplay replay = new FluidReplay();
        Allowance allowance = Allowance.quota(ONE_CORE, 16);
        // A bucket's middle is at most 3.1 % off; a period at the edge may tip over.
        assertThat(replay.throttledPeriodRatio(decoded, allowance))
                .isCloseTo(replay.throttledPeriodRatio(demand, allowance), Offset.offset(0.03));
    }

    @Test
    void missedSamplesRepeatTheOneBefore() {
        byte one = (byte) UsageLayout.bucket(10_000_000, 10_000_000);
        DemandSeries decoded =
                Reconstruction.decode(PackedBytes.of(new byte[] {one, -1, -1, 0}), 0).orElseThrow();
        double value = UsageLayout.V1.value(one & 0xFF);
        assertThat(decoded.toArray()).containsExactly(value, value, value, 0.0);
        assertThat(Reconstruction.decode(PackedBytes.of(new byte[] {-1, -1}), 1)).isEmpty();
    }

    @Test
    void withoutTimeStructureSamplesAreIndependent() {
        double[] usage = MeasuredDemand.bursts(5, 6_000).toArray();
        DemandEvidence known = MeasuredDemand.of(usage, ThrottlingSums.ZERO, Optional.empty(), 16);
        DemandEvidence unknown =
                new DemandEvidence(
                        known.usage(),
                        known.meanCores(),
                        new TimeStructure(0.0, new double[8], new boolean[8]),
                        6,
                        ThrottlingSums.ZERO,
                        Optional.empty(),
                        16,
                        false);
        double[] drawn = Reconstruction.synthesize(unknown, 1).series().get(0).toArray();
        double variance = MeasuredDemand.covariance(drawn, 0);
        assertThat(MeasuredDemand.covariance(drawn, 1)).isLessThan(0.1 * variance);
        drawn = Reconstruction.synthesize(known, 1).series().get(0).toArray();
        assertThat(MeasuredDemand.covariance(drawn, 1)).isGreaterThan(0.5 * variance);
    }

    private static double[] sorted(DemandSeries series) {
        double[] cores = series.toArray();
        Arrays.sort(cores);
        return cores;
    }
}
