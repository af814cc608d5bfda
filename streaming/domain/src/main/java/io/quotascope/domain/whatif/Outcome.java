package io.quotascope.domain.whatif;

/**
 * What a scenario would give.
 *
 * @param scenario the change
 * @param throttledPeriodRatio throttled periods / periods, with interval; 0 without a quota
 * @param willThrottle whether more than 1 % of periods are to be expected throttled; on the safe
 *     side
 * @param stall time to the next refill for work that arrives while throttled
 * @param delay time from arrival to completion, first come first served
 * @param meanCores mean demand, cores
 * @param trust how far to believe it
 */
public record Outcome(
        Scenario scenario,
        RatioEstimate throttledPeriodRatio,
        boolean willThrottle,
        ReplayOutcome.Percentiles stall,
        ReplayOutcome.Percentiles delay,
        double meanCores,
        Trust trust) {
    /** Throttled period ratio that counts as throttled. */
    public static final double THROTTLED_FROM = 0.01;

    /** 99th percentile of the longer of stall and delay, microseconds. */
    public double tailDelayUs() {
        return Math.max(stall.p99(), delay.p99());
    }
}
