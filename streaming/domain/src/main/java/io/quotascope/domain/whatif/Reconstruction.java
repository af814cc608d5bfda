package io.quotascope.domain.whatif;

import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.UsageLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Demand series from what was measured. Synthetic ones have the distribution and the autocovariance
 * of the evidence (Gaussian copula over a mix of Ornstein-Uhlenbeck processes), with the quota's
 * traces removed when it was throttled. A minute or more of exemplars gives the order of samples in
 * place of the copula.
 */
public final class Reconstruction {
    /** Synthetic series drawn for one service. */
    public static final int SERIES = 4;

    /** Slots of each: one minute. */
    public static final int SLOTS = 6000;

    /** Series that take part in the search; the others are drawn from what it found. */
    private static final int SEARCHED = 2;

    private static final int MISSED = 255;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Reconstruction() {}

    /** The seed of a service's series: FNV-1a 64 over the text service:window_end_us. */
    public static long seed(String service, long windowEndUs) {
        long hash = FNV_OFFSET;
        for (byte octet : (service + ':' + windowEndUs).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }

    /** Independent synthetic series; the same evidence and seed always give the same. */
    public static DemandEnsemble synthesize(DemandEvidence evidence, long seed) {
        return synthesize(evidence, CostGrowth.NONE, seed);
    }

    /** The same for work that grows dearer: demand is priced at no concurrency. */
    public static DemandEnsemble synthesize(DemandEvidence evidence, CostGrowth cost, long seed) {
        int step = evidence.slotsPerSample();
        SplittableRandom source = new SplittableRandom(seed);
        List<RankPaths> recorded = ExemplarPaths.of(evidence, source);
        List<RankPaths> paths = recorded.isEmpty() ? drawn(step, source) : recorded;
        DemandSeries.Provenance provenance =
                recorded.isEmpty()
                        ? DemandSeries.Provenance.SYNTHETIC
                        : DemandSeries.Provenance.EXEMPLAR;
        LatentFit fit = fit(evidence, cost, paths.subList(0, SEARCHED));
        List<DemandSeries> ensemble = new ArrayList<>();
        int[] cells = new int[paths.get(0).samples()];
        for (RankPaths path : paths) {
            path.ranks(fit.weights(), cells);
            double[] cores = new double[SLOTS];
            for (int slot = 0; slot < SLOTS; slot++) {
                cores[slot] = fit.marginal().cores(cells[slot / step]);
            }
            ensemble.add(DemandSeries.taking(cores, provenance));
        }
        return new DemandEnsemble(ensemble);
    }

    private static List<RankPaths> drawn(int step, SplittableRandom source) {
        List<RankPaths> paths = new ArrayList<>();
        for (int series = 0; series < SERIES; series++) {
            paths.add(new LatentPaths((SLOTS + step - 1) / step, source.split()));
        }
        return paths;
    }

    private static LatentFit fit(DemandEvidence evidence, CostGrowth cost, List<RankPaths> paths) {
        Marginal usage = Marginal.of(evidence.usage(), evidence.meanCores());
        LatentFit fit =
                LatentFit.of(
                        usage.priced(cost),
                        evidence.structure().covariance(),
                        evidence.structure().known());
        boolean censored = evidence.isCensored() && usage.max() > 0.0;
        return censored ? new Unwinding(evidence, usage, cost).fit(fit, paths) : fit;
    }

    /**
     * The raw samples of one window, each the middle of its bucket, with the mean of the window's
     * counter if it is known. A missed sample repeats the one before it. Absent when no sample was
     * taken.
     */
    public static Optional<DemandSeries> decode(PackedBytes exemplar, double meanCores) {
        byte[] samples = exemplar.bytes();
        double[] cores = new double[samples.length];
        boolean any = false;
        double last = 0.0;
        for (int slot = 0; slot < samples.length; slot++) {
            int bucket = samples[slot] & 0xFF;
            if (bucket != MISSED && bucket < UsageLayout.V1.bucketCount()) {
                last = UsageLayout.V1.value(bucket);
                any = true;
            }
            cores[slot] = last;
        }
        if (!any) {
            return Optional.empty();
        }
        DemandSeries series = DemandSeries.of(cores, DemandSeries.Provenance.EXEMPLAR);
        return Optional.of(meanCores > 0.0 ? series.withMean(meanCores) : series);
    }
}
