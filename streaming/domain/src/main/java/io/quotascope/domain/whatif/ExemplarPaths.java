package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.PackedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The order of the raw samples of exemplars, laid end to end. Their values are not used: exemplars
 * are few, and the worst are kept, while the histogram holds every sample.
 */
final class ExemplarPaths implements RankPaths {
    /** With less than a minute a drawn order is better than a recorded one. */
    private static final int EXEMPLARS_MIN = 6;

    private static final int WINDOW_SLOTS = 1_000;

    /** Two orders at least, as of drawn series, so that their difference can be seen. */
    private static final int SERIES_MIN = 2;

    /** A sample is known to about this part of itself, the width of a bucket. */
    private static final double BUCKET_WIDTH = 0.06;

    private final int[] cells;

    private ExemplarPaths(int[] cells) {
        this.cells = cells;
    }

    /** Orders of as many slots as drawn series have; none when there are too few exemplars. */
    static List<RankPaths> of(DemandEvidence evidence, SplittableRandom source) {
        List<double[]> windows = new ArrayList<>();
        for (PackedBytes exemplar : evidence.exemplars()) {
            Optional<DemandSeries> decoded = Reconstruction.decode(exemplar, 0);
            if (decoded.isPresent() && decoded.get().slots() == WINDOW_SLOTS) {
                windows.add(demand(decoded.get().toArray(), evidence));
            }
        }
        if (windows.size() < EXEMPLARS_MIN || evidence.slotsPerSample() != 1) {
            return List.of();
        }
        int perSeries = Reconstruction.SLOTS / WINDOW_SLOTS;
        int series =
                Math.max(SERIES_MIN, Math.min(Reconstruction.SERIES, windows.size() / perSeries));
        List<RankPaths> paths = new ArrayList<>();
        for (int number = 0; number < series; number++) {
            int first = number * windows.size() / series;
            double[] cores = new double[Reconstruction.SLOTS];
            for (int window = 0; window < perSeries; window++) {
                double[] from = windows.get((first + window) % windows.size());
                System.arraycopy(from, 0, cores, window * WINDOW_SLOTS, WINDOW_SLOTS);
            }
            paths.add(new ExemplarPaths(ranks(cores, source.split())));
        }
        return paths;
    }

    private static double[] demand(double[] usage, DemandEvidence evidence) {
        Optional<CpuLimit.Quota> quota = evidence.quota();
        return quota.isPresent() && evidence.isCensored()
                ? SaturatedRuns.spread(usage, quota.get())
                : usage;
    }

    /** Equal samples, of which an idle service has many, stand in no order. */
    private static int[] ranks(double[] cores, SplittableRandom source) {
        long[] keyed = new long[cores.length];
        for (int slot = 0; slot < cores.length; slot++) {
            double drawn = cores[slot] * (1 + BUCKET_WIDTH * (source.nextDouble() - 0.5));
            double within = drawn + 1e-9 * source.nextDouble();
            // Doubles that are not negative sort like their bits; the lowest give way to the slot.
            long bits = Double.doubleToLongBits(within);
            keyed[slot] = (bits & ~(long) 0x3FFF) | slot;
        }
        Arrays.sort(keyed);
        int[] cells = new int[cores.length];
        for (int rank = 0; rank < keyed.length; rank++) {
            cells[(int) (keyed[rank] & 0x3FFF)] =
                    (int) ((long) rank * Marginal.CELLS / cores.length);
        }
        return cells;
    }

    @Override
    public int samples() {
        return cells.length;
    }

    @Override
    public void ranks(double[] weights, int[] into) {
        System.arraycopy(cells, 0, into, 0, cells.length);
    }
}
