package io.quotascope.domain.whatif;

/** The order in which the values of a distribution come, sample by sample. */
interface RankPaths {
    int samples();

    /**
     * The cell of every sample's rank among all samples.
     *
     * @param weights of the latent processes, for orders that are drawn
     * @param cells to be filled, 0 .. {@link Marginal#CELLS} - 1
     */
    void ranks(double[] weights, int[] cells);
}
