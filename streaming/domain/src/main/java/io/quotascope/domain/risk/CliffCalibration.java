package io.quotascope.domain.risk;

/**
 * What replays of reconstructed demand miss on average, fitted on the development population of
 * {@code make fit-cliff} (never on the hold-out). It works on shares of the quota, because the
 * share at which a service collapses is a property of the service and not of how busy it happened
 * to be when it was seen.
 *
 * @param nearness how much nearer than the line says, in logarithms, the cliff is for
 *     probabilities: services close to it are those that the line, drawn to the typical one, puts
 *     too far
 * @param dearKappa cost of concurrency of the dear replay, where the real one is not known
 * @param mayKappa another cost that it may have then: the farther its replay is from that at no
 *     cost, the less is known
 * @param stated timeout and retries are stated, the price of concurrency is not known
 * @param assumed neither is known
 * @param priced the price of concurrency was measured
 */
public record CliffCalibration(
        double nearness, double dearKappa, double mayKappa, Fit stated, Fit assumed, Fit priced) {
    /**
     * Lines for one state of knowledge.
     *
     * @param collapse line of the collapse
     * @param collapseReach half of the 90 % interval of ln collapse load, where the price makes no
     *     difference
     * @param recovery line of the recovery
     * @param recoveryReach half of the 90 % interval of ln recovery load
     */
    public record Fit(
            Collapse collapse, double collapseReach, Recovery recovery, double recoveryReach) {}

    /**
     *
     *
     * <pre>
     * ln collapse utilization = intercept + dear x ln (replayed at the dear price)
     *     + plain x ln (replayed at the known price, or at none) + used x ln utilization
     *     + timeout x ln timeout
     * </pre>
     *
     * with the timeout in seconds. Truth lies between both replays: the dear price stands for
     * everything that a queue of requests loses and a fluid does not. Slopes that sum to less than
     * 1 draw extreme replays towards the typical service.
     *
     * @param intercept constant
     * @param dear slope of the dear replay; 0 = it need not be replayed
     * @param plain slope of the other
     * @param used slope of the utilization now
     * @param timeout slope of the timeout
     */
    public record Collapse(
            double intercept, double dear, double plain, double used, double timeout) {
        double of(double dearShare, double plainShare, double usedShare, double timeoutSeconds) {
            return StrictMath.exp(
                    intercept
                            + dear * StrictMath.log(dearShare)
                            + plain * StrictMath.log(plainShare)
                            + used * StrictMath.log(usedShare)
                            + timeout * StrictMath.log(timeoutSeconds));
        }
    }

    /**
     *
     *
     * <pre>
     * ln recovery utilization = intercept + attempts x ln (1 + retries) + crowd x ln crowd
     *     + used x ln utilization + timeout x ln timeout
     * </pre>
     *
     * After a pulse every attempt times out and every thread runs: what is left to live on is the
     * quota over all attempts, at the price of that crowd. The crowd is cap / quota where the price
     * is not known, and the price at the cap where it is.
     *
     * @param intercept constant
     * @param attempts slope of the attempts
     * @param crowd slope of the crowd
     * @param used slope of the utilization now
     * @param timeout slope of the timeout
     */
    public record Recovery(
            double intercept, double attempts, double crowd, double used, double timeout) {
        double of(int retries, double crowded, double usedShare, double timeoutSeconds) {
            return StrictMath.exp(
                    intercept
                            + attempts * StrictMath.log(1.0 + retries)
                            + crowd * StrictMath.log(crowded)
                            + used * StrictMath.log(usedShare)
                            + timeout * StrictMath.log(timeoutSeconds));
        }
    }

    /**
     * Lines fitted on 874 observations of 156 development services that are not judged, each with
     * the truth of most of 15 runs ({@code make fit-cliff}, 2026-11-22; lines of the recovery: 200
     * services, one run). Half widths are a little wider than the 90 % of errors found there,
     * because real services are of no family.
     */
    public static final CliffCalibration FITTED =
            new CliffCalibration(
                    0.03,
                    1.0,
                    0.3,
                    new Fit(
                            new Collapse(0.100, 0.534, 0.331, -0.001, 0.061),
                            0.18,
                            new Recovery(-0.098, -1.335, -0.026, 0.351, 0.026),
                            0.75),
                    new Fit(
                            new Collapse(0.064, 0.561, 0.191, 0.034, 0),
                            0.23,
                            new Recovery(-1.119, 0, -0.003, 0.490, 0),
                            1.29),
                    new Fit(
                            new Collapse(0.083, 0, 0.569, 0.137, 0.076),
                            0.22,
                            new Recovery(-0.056, -1.356, -0.561, 0.175, 0.054),
                            0.62));

    /** The same lines with another nearness. */
    public CliffCalibration with(double otherNearness) {
        return new CliffCalibration(otherNearness, dearKappa, mayKappa, stated, assumed, priced);
    }

    /** The lines for what is known of a shard. */
    Fit of(ShardSituation shard) {
        if (shard.priceKnown()) {
            return priced;
        }
        return shard.clients().isPresent() ? stated : assumed;
    }
}
