package io.quotascope.wire;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.PredictionScore;

/** Rows of table prediction_scores. */
public final class PredictionScores {
    private static final int REVISION_SHIFT = 32;

    private PredictionScores() {}

    /**
     * The row as it is stored.
     *
     * @param last change whose outcome was added last
     * @param windowStartUs start of the last hour of that outcome
     */
    public static io.quotascope.wire.avro.PredictionScore toAvro(
            PredictionScore score,
            String quantity,
            ChangeEvent last,
            long windowStartUs,
            long revision) {
        io.quotascope.wire.avro.PredictionScore avro =
                new io.quotascope.wire.avro.PredictionScore();
        avro.setOrigin(Nullable.origin(last.origin()));
        avro.setCluster(last.cluster());
        avro.setService(last.service());
        avro.setQuantity(quantity);
        avro.setWindowStartUs(windowStartUs);
        avro.setVersion((revision << REVISION_SHIFT) + score.predictions());
        avro.setPredictions(score.predictions());
        avro.setCoverageRatio(score.coverage());
        avro.setBias(score.bias());
        avro.setAbsoluteErrorMean(score.absoluteErrorMean());
        avro.setIntervalScoreMean(score.intervalScoreMean());
        return avro;
    }
}
