package io.quotascope.domain.whatif;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Paths of the latent processes of one synthetic series, drawn once from a seed and mixed as often
 * as wanted, so that two mixes differ by their weights and not by chance. Mutable.
 */
final class LatentPaths implements RankPaths {
    private static final double NEGLIGIBLE = 1e-4;
    private static final int RANK_BUCKETS = 4096;
    private static final double RANGE = 5.0;

    private final int samples;
    private final SplittableRandom[] sources = new SplittableRandom[LatentMix.processes()];
    private final float[][] paths = new float[LatentMix.processes()][];
    private final double[] sum;
    private final int[] starts = new int[RANK_BUCKETS + 1];

    LatentPaths(int samples, SplittableRandom source) {
        this.samples = samples;
        sum = new double[samples];
        for (int process = 0; process < sources.length; process++) {
            sources[process] = source.split();
        }
    }

    @Override
    public int samples() {
        return samples;
    }

    /** Ranks are exact, so the series takes every value of a distribution equally often. */
    @Override
    public void ranks(double[] weights, int[] cells) {
        Arrays.fill(sum, 0.0);
        for (int process = 0; process < weights.length; process++) {
            if (weights[process] > NEGLIGIBLE) {
                float[] path = path(process);
                double scale = StrictMath.sqrt(weights[process]);
                for (int sample = 0; sample < samples; sample++) {
                    sum[sample] += scale * path[sample];
                }
            }
        }
        Arrays.fill(starts, 0);
        for (int sample = 0; sample < samples; sample++) {
            starts[bucket(sum[sample]) + 1]++;
        }
        for (int bucket = 0; bucket < RANK_BUCKETS; bucket++) {
            starts[bucket + 1] += starts[bucket];
        }
        for (int sample = 0; sample < samples; sample++) {
            long rank = starts[bucket(sum[sample])]++;
            cells[sample] = (int) (rank * Marginal.CELLS / samples);
        }
    }

    private static int bucket(double z) {
        int bucket = (int) ((z + RANGE) * (RANK_BUCKETS / (2 * RANGE)));
        return Math.max(0, Math.min(RANK_BUCKETS - 1, bucket));
    }

    private float[] path(int process) {
        if (paths[process] == null) {
            SplittableRandom source = sources[process];
            float[] path = new float[samples];
            double keep = LatentMix.persistence(process);
            double fresh = StrictMath.sqrt(1.0 - keep * keep);
            double z = NormalTable.draw(source.nextLong());
            for (int sample = 0; sample < samples; sample++) {
                path[sample] = (float) z;
                z = keep * z + fresh * NormalTable.draw(source.nextLong());
            }
            paths[process] = path;
        }
        return paths[process];
    }
}
