package io.quotascope.domain.whatif;

import java.util.ArrayList;
import java.util.List;

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

    /** The same with one reason more to doubt it. */
    public Outcome doubtedFor(Trust.Reason reason) {
        List<Trust.Reason> reasons = new ArrayList<>(trust.reasons());
        reasons.add(reason);
        return new Outcome(
                scenario,
                throttledPeriodRatio,
                willThrottle,
                stall,
                delay,
                meanCores,
                Trust.because(reasons));
    }

    /** 99th percentile of the longer of stall and delay, microseconds. */
    public double tailDelayUs() {
        return Math.max(stall.p99(), delay.p99());
    }
}
