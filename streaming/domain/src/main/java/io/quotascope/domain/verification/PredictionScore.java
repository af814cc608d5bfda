package io.quotascope.domain.verification;

import java.util.Collection;

/**
 * How good predictions with 90 % intervals were.
 *
 * @param predictions predictions compared
 * @param coverage share of realised values inside their interval, 0..1; honest is 0.9
 * @param bias mean of predicted - realised
 * @param absoluteErrorMean mean of |predicted - realised|
 * @param intervalScoreMean mean interval score, lower is better: width, plus 20 times what a value
 *     lies outside (Gneiting and Raftery 2007, equation 43, with alpha = 0.1)
 */
public record PredictionScore(
        int predictions,
        double coverage,
        double bias,
        double absoluteErrorMean,
        double intervalScoreMean) {
    private static final double ALPHA = 0.1;

    /**
     * A prediction and what came of it, in one unit.
     *
     * @param low 5th percentile as predicted
     * @param predicted the prediction
     * @param high 95th percentile as predicted
     * @param realised what was measured
     */
    public record Realised(double low, double predicted, double high, double realised) {
        /**
         * An interval in order.
         *
         * @throws IllegalArgumentException when low > high
         */
        public Realised {
            if (!(low <= high)) {
                throw new IllegalArgumentException(
                        "low must not exceed high: " + low + ", " + high);
            }
        }

        double intervalScore() {
            double below = Math.max(0, low - realised);
            double above = Math.max(0, realised - high);
            return high - low + 2 / ALPHA * (below + above);
        }
    }

    /**
     * Scores some predictions.
     *
     * @throws IllegalArgumentException when there are none
     */
    public static PredictionScore of(Collection<Realised> outcomes) {
        if (outcomes.isEmpty()) {
            throw new IllegalArgumentException("no prediction to score");
        }
        int inside = 0;
        double bias = 0;
        double error = 0;
        double score = 0;
        for (Realised outcome : outcomes) {
            inside +=
                    outcome.low() <= outcome.realised() && outcome.realised() <= outcome.high()
                            ? 1
                            : 0;
            bias += outcome.predicted() - outcome.realised();
            error += Math.abs(outcome.predicted() - outcome.realised());
            score += outcome.intervalScore();
        }
        double count = outcomes.size();
        return new PredictionScore(
                outcomes.size(), inside / count, bias / count, error / count, score / count);
    }
}
