package io.quotascope.domain.cfs.service;

import java.util.Arrays;

/**
 * What became of the requests of one run.
 *
 * @param offered requests that arrived, each once, however often it was asked
 * @param offeredWorkUs work that they need, asked once each, microseconds
 * @param attempts attempts of clients
 * @param answered requests answered to a client that still waited
 * @param timedOutAttempts attempts given up for lack of an answer
 * @param refusedAttempts attempts that the full queue turned away
 * @param givenUp requests without an answer after the last retry
 * @param lateAnswers answers to attempts already given up: work done for nobody
 * @param droppedTasks tasks that were never begun because their client had left
 * @param judged first attempts of the last 40 % of the run whose outcome is known
 * @param judgedFailed of those, timed out or refused
 * @param firstAttemptsBySecond first attempts by the second of the run in which they were made
 * @param failedBySecond of those, timed out or refused
 * @param latenciesUs for every finished request the time from its arrival to the answer or, if it
 *     was given up, to then; ascending
 */
public record ServiceRequests(
        long offered,
        long offeredWorkUs,
        long attempts,
        long answered,
        long timedOutAttempts,
        long refusedAttempts,
        long givenUp,
        long lateAnswers,
        long droppedTasks,
        long judged,
        long judgedFailed,
        int[] firstAttemptsBySecond,
        int[] failedBySecond,
        long[] latenciesUs) {
    /** Share of failed first attempts from which on a run counts as collapsed. */
    public static final double COLLAPSED_ABOVE = 0.30;

    /** More than 30 % of the first attempts of the last 40 % of the run failed. */
    public boolean collapsed() {
        return judgedFailed > COLLAPSED_ABOVE * judged;
    }

    /** The latency that a share of the finished requests does not exceed; 0 when none finished. */
    public long latencyUs(double share) {
        if (latenciesUs.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(share * latenciesUs.length);
        return latenciesUs[Math.max(1, Math.min(latenciesUs.length, rank)) - 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServiceRequests that
                && Arrays.equals(latenciesUs, that.latenciesUs)
                && Arrays.equals(firstAttemptsBySecond, that.firstAttemptsBySecond)
                && Arrays.equals(failedBySecond, that.failedBySecond)
                && Arrays.equals(counts(), that.counts());
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(counts()) + Arrays.hashCode(latenciesUs);
    }

    private long[] counts() {
        return new long[] {
            offered,
            offeredWorkUs,
            attempts,
            answered,
            timedOutAttempts,
            refusedAttempts,
            givenUp,
            lateAnswers,
            droppedTasks,
            judged,
            judgedFailed
        };
    }
}
