package io.quotascope.domain.whatif;

/**
 * A distribution and the order in which its values come.
 *
 * @param marginal distribution of demand
 * @param covariance wanted at lags of 1, 2, 4 .. 128 samples
 * @param weights of the latent processes that give it
 */
record LatentFit(Marginal marginal, double[] covariance, double[] weights) {
    /** No series is more alike than this from one lag to the next. */
    private static final double CORRELATION_MAX = 0.98;

    static LatentFit of(Marginal marginal, double[] wanted, boolean[] known) {
        double variance = marginal.variance();
        double[] covariance = wanted.clone();
        double[] latent = new double[wanted.length];
        LatentCorrelation correlation = LatentCorrelation.of(marginal);
        for (int lag = 0; lag < wanted.length; lag++) {
            covariance[lag] = Math.max(0.0, Math.min(wanted[lag], CORRELATION_MAX * variance));
            latent[lag] = variance > 0.0 ? correlation.latentFor(covariance[lag] / variance) : 0.0;
        }
        return new LatentFit(marginal, covariance, LatentMix.fit(latent, known));
    }
}
