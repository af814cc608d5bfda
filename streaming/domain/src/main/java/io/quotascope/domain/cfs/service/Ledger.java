package io.quotascope.domain.cfs.service;

import java.util.Arrays;

/** Counts what becomes of requests. */
final class Ledger {
    private static final double JUDGED_FROM = 0.6;
    private static final long SECOND_US = 1_000_000;

    private final long judgedFromUs;
    private final long judgedUntilUs;
    private long offered;
    private long offeredWorkUs;
    private long attempts;
    private long answered;
    private long timedOut;
    private long refused;
    private long givenUp;
    private long late;
    private long dropped;
    private long judged;
    private long judgedFailed;
    private final int[] firstBySecond;
    private final int[] failedBySecond;
    private long[] latenciesUs = new long[1024];
    private int finished;

    /** First attempts are judged from 60 % of the run on, if they can time out before its end. */
    Ledger(long horizonUs, long timeoutUs) {
        judgedFromUs = (long) (JUDGED_FROM * horizonUs);
        judgedUntilUs = horizonUs - timeoutUs;
        firstBySecond = new int[second(horizonUs) + 1];
        failedBySecond = new int[firstBySecond.length];
    }

    void arrived(Request request) {
        offered++;
        offeredWorkUs += request.workUs();
        firstBySecond[second(request.arrivesUs())]++;
        if (isJudged(request)) {
            judged++;
        }
    }

    void attempted() {
        attempts++;
    }

    void answered(Request request, long nowUs) {
        answered++;
        finish(nowUs - request.arrivesUs());
    }

    void answeredLate() {
        late++;
    }

    void timedOut(Attempt attempt) {
        timedOut++;
        failed(attempt);
    }

    void refused(Attempt attempt) {
        refused++;
        failed(attempt);
    }

    void givenUp(Request request, long nowUs) {
        givenUp++;
        finish(nowUs - request.arrivesUs());
    }

    void dropped() {
        dropped++;
    }

    private void failed(Attempt attempt) {
        if (attempt.number() > 0) {
            return;
        }
        failedBySecond[second(attempt.request().arrivesUs())]++;
        if (isJudged(attempt.request())) {
            judgedFailed++;
        }
    }

    private static int second(long nowUs) {
        return (int) (nowUs / SECOND_US);
    }

    private boolean isJudged(Request request) {
        return request.arrivesUs() >= judgedFromUs && request.arrivesUs() < judgedUntilUs;
    }

    private void finish(long latencyUs) {
        if (finished == latenciesUs.length) {
            latenciesUs = Arrays.copyOf(latenciesUs, 2 * finished);
        }
        latenciesUs[finished++] = latencyUs;
    }

    ServiceRequests outcome() {
        long[] ascending = Arrays.copyOf(latenciesUs, finished);
        Arrays.sort(ascending);
        return new ServiceRequests(
                offered,
                offeredWorkUs,
                attempts,
                answered,
                timedOut,
                refused,
                givenUp,
                late,
                dropped,
                judged,
                judgedFailed,
                firstBySecond,
                failedBySecond,
                ascending);
    }
}
