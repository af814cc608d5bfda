package io.quotascope.domain.whatif;

import java.util.Arrays;
import java.util.Optional;

/**
 * Work of every slot in its order of arrival, first come first served, with what clients send again
 * when their timeout passes. Mutable, reusable; grows to the longest series seen.
 */
final class ArrivalQueue {
    /** Where the last 40 % of a replay begin. */
    private static final double TAIL_FROM = 0.6;

    private final DelayTally delays = new DelayTally();
    private double[] cumulated = new double[1];
    private double[][] attempts = new double[1][0];
    private int slots;
    private int head;
    private int timeoutSlots;
    private int retries;
    private double attemptedUs;
    private double timedOutUs;
    private double tailAttemptedUs;
    private double tailTimedOutUs;
    private double retriedUs;

    void reset(int slotCount, Optional<ClientPolicy> clients) {
        slots = slotCount;
        head = 0;
        delays.reset();
        attemptedUs = 0.0;
        timedOutUs = 0.0;
        tailAttemptedUs = 0.0;
        tailTimedOutUs = 0.0;
        retriedUs = 0.0;
        retries = clients.map(ClientPolicy::retries).orElse(0);
        timeoutSlots = clients.map(ClientPolicy::timeoutSlots).orElse(Integer.MAX_VALUE);
        if (cumulated.length <= slots) {
            cumulated = new double[slots + 1];
        }
        cumulated[0] = 0.0;
        if (clients.isPresent()) {
            resetAttempts();
        }
    }

    private void resetAttempts() {
        if (attempts.length <= retries || attempts[0].length < slots) {
            attempts = new double[Math.max(attempts.length, retries + 1)][slots];
        }
        for (int attempt = 0; attempt <= retries; attempt++) {
            Arrays.fill(attempts[attempt], 0, slots, 0.0);
        }
    }

    /**
     * What arrives in a slot: first attempts, and what timed out at its start and is tried again.
     *
     * @param firstUs work of first attempts
     * @param servedUs all work done before this slot
     */
    double arrive(int slot, double firstUs, double servedUs) {
        double arrivedUs = firstUs;
        if (timeoutSlots != Integer.MAX_VALUE) {
            attempts[0][slot] = firstUs;
            if (slot >= timeoutSlots) {
                arrivedUs += timeOut(slot, slot - timeoutSlots, servedUs);
            }
        }
        cumulated[slot + 1] = cumulated[slot] + arrivedUs;
        return arrivedUs;
    }

    private double timeOut(int slot, int cohort, double servedUs) {
        double cohortUs = cumulated[cohort + 1] - cumulated[cohort];
        double waitingUs = Math.min(cohortUs, cumulated[cohort + 1] - servedUs);
        double share = waitingUs > QuotaMeter.NEGLIGIBLE_US ? waitingUs / cohortUs : 0.0;
        double firstUs = attempts[0][cohort];
        attemptedUs += firstUs;
        timedOutUs += firstUs * share;
        if (slot >= TAIL_FROM * slots) {
            tailAttemptedUs += firstUs;
            tailTimedOutUs += firstUs * share;
        }
        double againUs = 0.0;
        for (int attempt = 0; attempt < retries; attempt++) {
            double nextUs = attempts[attempt][cohort] * share;
            attempts[attempt + 1][slot] = nextUs;
            againUs += nextUs;
        }
        retriedUs += againUs;
        return againUs;
    }

    /**
     * The slot is over: whatever was completed in it has its delay. Within a slot work is served
     * evenly.
     */
    void served(int slot, double beforeUs, double afterUs) {
        while (head <= slot && cumulated[head + 1] <= afterUs + QuotaMeter.NEGLIGIBLE_US) {
            double into =
                    afterUs > beforeUs
                            ? Math.min(1.0, (cumulated[head + 1] - beforeUs) / (afterUs - beforeUs))
                            : 1.0;
            double doneAt = slot + Math.max(0.0, into);
            tally(head, head == slot ? 0.0 : doneAt - (head + 1));
            head++;
        }
    }

    /** The replay is over: what still waits has waited at least until now. */
    void end() {
        for (; head < slots; head++) {
            tally(head, slots - (head + 1));
        }
    }

    private void tally(int cohort, double delaySlots) {
        delays.add(
                Math.max(0.0, delaySlots) * DemandSeries.SLOT_US,
                cumulated[cohort + 1] - cumulated[cohort]);
    }

    double arrivedUs() {
        return cumulated[slots];
    }

    ReplayOutcome.Percentiles delays() {
        return delays.percentiles();
    }

    double tailTimedOutRatio() {
        return ratio(tailTimedOutUs, tailAttemptedUs);
    }

    Optional<ReplayOutcome.Timeouts> timeouts() {
        return timeoutSlots == Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of(
                        new ReplayOutcome.Timeouts(
                                ratio(timedOutUs, attemptedUs), tailTimedOutRatio(), retriedUs));
    }

    private static double ratio(double part, double whole) {
        return whole > 0.0 ? part / whole : 0.0;
    }
}
