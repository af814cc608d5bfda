package io.quotascope.domain.risk;

/**
 * What replays of reconstructed demand miss on average, fitted on the development population of
 * {@code make validate} (never on the hold-out). It works on collapse utilization, the used share
 * of the quota at which a service collapses, because that is a property of the service and not of
 * how busy it happened to be when it was seen:
 *
 * <pre>
 * ln collapse utilization = intercept + slope x ln (replayed at the dear price) + timeoutSlope x ln timeout
 * ln recovery utilization = intercept + slope x ln (replayed) + timeoutSlope x ln timeout + retrySlope x retries
 * </pre>
 *
 * with the timeout in seconds. The dear price of concurrency stands for everything that a queue of
 * requests loses and a fluid does not; the slope below 1 draws extreme replays towards the typical
 * service.
 *
 * @param dearKappa cost of concurrency at which the collapse is replayed, where kappa is unknown
 * @param collapse terms of the collapse
 * @param recovery terms of the recovery
 */
public record CliffCalibration(double dearKappa, Terms collapse, Terms recovery) {
    /**
     * One line.
     *
     * @param intercept constant
     * @param slope of the replayed utilization
     * @param timeoutSlope of the logarithm of the timeout in seconds
     * @param retrySlope of the number of retries
     */
    public record Terms(double intercept, double slope, double timeoutSlope, double retrySlope) {
        double of(double replayedUtilization, double timeoutSeconds, int retries) {
            return StrictMath.exp(
                    intercept
                            + slope * StrictMath.log(replayedUtilization)
                            + timeoutSlope * StrictMath.log(timeoutSeconds)
                            + retrySlope * retries);
        }
    }

    /** Fitted on 451 observations of 80 development services, 2026-11-22. */
    public static final CliffCalibration FITTED =
            new CliffCalibration(
                    1.0,
                    new Terms(0.119, 0.771, 0.061, 0),
                    new Terms(-0.609, 0.313, 0.097, -0.442));
}
