package io.quotascope.analyze;

import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.window.ShardWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Demand as it was recorded, sample by sample, where nothing has to be reconstructed. */
final class RecordedDemand {
    /** From this throttled period ratio on usage is not all that was wanted. */
    private static final double THROTTLED_FROM = 0.003;

    private RecordedDemand() {}

    /**
     * The raw samples of one shard in time order. Absent when windows lack them, when there are
     * several shards, or when throttling hid what was wanted.
     */
    static Optional<DemandEnsemble> of(List<ShardWindow> windows, double throttledPeriodRatio) {
        if (throttledPeriodRatio >= THROTTLED_FROM
                || windows.stream().map(ShardWindow::shardId).distinct().count() != 1) {
            return Optional.empty();
        }
        List<double[]> parts = new ArrayList<>();
        for (ShardWindow window : windows) {
            Optional<PackedBytes> exemplar = window.exemplar();
            if (exemplar.isEmpty()) {
                return Optional.empty();
            }
            double meanCores =
                    window.usage().usageUs()
                            / (double) window.sampling().samples()
                            / window.sampling().sampleIntervalUs();
            Optional<DemandSeries> series = Reconstruction.decode(exemplar.get(), meanCores);
            if (series.isEmpty()) {
                return Optional.empty();
            }
            parts.add(series.get().toArray());
        }
        double[] cores = parts.stream().flatMapToDouble(Arrays::stream).toArray();
        return Optional.of(
                new DemandEnsemble(
                        List.of(DemandSeries.of(cores, DemandSeries.Provenance.RECORDED))));
    }
}
