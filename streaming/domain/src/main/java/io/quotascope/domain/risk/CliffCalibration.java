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
 * @param mayShare how much of that distance, in logarithms, is joined with the error of the line
 * @param stated timeout and retries are stated, the price of concurrency is not known
 * @param assumed neither is known
 * @param priced the price of concurrency was measured
 */
public record CliffCalibration(
        double nearness,
        double dearKappa,
        double mayKappa,
        double mayShare,
        Fit stated,
        Fit assumed,
        Fit priced) {
    /**
     * Lines for one state of knowledge.
     *
     * @param collapse line of the collapse where it is not known how long throttling lasts, as
     *     under a setting that was never observed
     * @param watched line of the collapse where it is
     * @param collapseReach half of the 90 % interval of ln collapse load, where the price makes no
     *     difference
     * @param recovery line of the recovery
     * @param recoveryReach half of the 90 % interval of ln recovery load
     */
    public record Fit(
            Collapse collapse,
            Collapse watched,
            double collapseReach,
            Recovery recovery,
            double recoveryReach) {
        /** The line for a shard. */
        Collapse lineOf(ShardSituation shard) {
            return shard.persistence().isPresent() ? watched : collapse;
        }
    }

    /**
     *
     *
     * <pre>
     * ln collapse utilization = intercept + replayed x ln replay + used x ln utilization
     *     + patience x bursts x ln timeout - lasting x persistence
     * bursts = 1 - free replay, at least 0
     * </pre>
     *
     * Replays are utilizations at which they collapse: the dear one where the price is not known,
     * else the one at the known price, which is the free one too. The timeout is in seconds, at
     * most {@value #PATIENT_SECONDS}. Truth lies between the dear and the free replay: the dear
     * price stands for everything that a queue of requests loses and a fluid does not. A request
     * waits for its slowest part and a fluid for its mean, so a fluid is too far where bursts last
     * about as long as clients are patient. Slopes below 1 draw extreme replays towards the typical
     * service. No slope is negative: a replay that collapses later and clients that wait longer
     * never bring the cliff nearer, and throttling that lasts longer never moves it away: some of
     * what a service lacks cannot be seen in its use of CPU, but in how long it takes to recover.
     *
     * @param intercept constant
     * @param replayed slope of the replay
     * @param used slope of the utilization now
     * @param patience slope of the timeout where there are nothing but bursts
     * @param lasting slope of the {@link Persistence} of throttling, taken off
     */
    public record Collapse(
            double intercept, double replayed, double used, double patience, double lasting) {
        /** The longest timeout of the population: patience beyond it was never seen. */
        static final double PATIENT_SECONDS = 1;

        /** A line that does not ask how long throttling lasts. */
        public Collapse(double intercept, double replayed, double used, double patience) {
            this(intercept, replayed, used, patience, 0);
        }

        /** Utilization at which a shard collapses. */
        public double of(
                double replayShare,
                double freeShare,
                double usedShare,
                double timeoutSeconds,
                double persistence) {
            return StrictMath.exp(
                    intercept
                            + replayed * StrictMath.log(replayShare)
                            + used * StrictMath.log(usedShare)
                            + patience * impatience(freeShare, timeoutSeconds)
                            - lasting * persistence);
        }

        /**
         * How much a timeout matters: 0 where demand is steady or clients wait for {@value
         * #PATIENT_SECONDS} s, negative where bursts meet short ones.
         *
         * @param freeShare utilization at which the replay at the known price, or at none,
         *     collapses
         */
        public static double impatience(double freeShare, double timeoutSeconds) {
            double bursts = Math.max(0, 1 - freeShare);
            return bursts * StrictMath.log(Math.min(PATIENT_SECONDS, timeoutSeconds));
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
     * Lines fitted on 897 observations of 160 development services that are not judged and 583 of
     * 100 services of another family, each with the truth of most of 15 runs (procedure of {@code
     * make fit-cliff}, 2026-11-22; lines of the recovery: 200 services, one run). Half widths are
     * those that score best on services that took no part, both families counting the same; with a
     * measured price a little wider.
     */
    public static final CliffCalibration FITTED =
            new CliffCalibration(
                    0.05,
                    1.0,
                    0.3,
                    0.35,
                    new Fit(
                            new Collapse(0.078, 0.456, 0.127, 0.249),
                            new Collapse(0.125, 0.419, 0.186, 0.234, 0.029),
                            0.19,
                            new Recovery(-0.098, -1.335, -0.026, 0.351, 0.026),
                            0.75),
                    new Fit(
                            new Collapse(0.108, 0.445, 0.174, 0.138),
                            new Collapse(0.143, 0.478, 0.206, 0.064, 0.029),
                            0.21,
                            new Recovery(-1.119, 0, -0.003, 0.490, 0),
                            1.29),
                    new Fit(
                            new Collapse(0.054, 0.346, 0.210, 0.210),
                            new Collapse(0.054, 0.346, 0.210, 0.210),
                            0.22,
                            new Recovery(-0.056, -1.356, -0.561, 0.175, 0.054),
                            0.62));

    /** The same lines with another nearness. */
    public CliffCalibration with(double otherNearness) {
        return new CliffCalibration(
                otherNearness, dearKappa, mayKappa, mayShare, stated, assumed, priced);
    }

    /** The lines for what is known of a shard. */
    Fit of(ShardSituation shard) {
        if (shard.priceKnown()) {
            return priced;
        }
        return shard.clients().isPresent() ? stated : assumed;
    }
}
