package io.quotascope.domain.load;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ServiceSums;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * What minutes say about the cost of concurrency of one service. CPU time of a slice is work times
 * the price of the cores that ran in it ({@code CostGrowth}); at the right kappa the work of a
 * request does not depend on how concurrent its minute was, so its spread over minutes is least.
 *
 * <p>Sums of integers at each candidate, hence the same in any order of minutes. 25 numbers.
 *
 * @param minutes minutes, the older ones faded
 * @param sums of the log work of a request, in 1/10,000, at each candidate
 * @param squares of the same
 */
public record CostEvidence(long minutes, long[] sums, long[] squares) {
    /** Greatest candidate: work three times as dear at twice the quota is no CPU cost any more. */
    static final double KAPPA_MAX = 1.2;

    /** Candidates are tenths, which multiplied would not meet the greatest exactly. */
    private static final double STEPS = 10;

    private static final int CANDIDATES = 13;
    private static final double LOG_UNIT = 1e4;

    /** Fewer requests are too few for a mean. */
    private static final long REQUESTS_MIN = 100;

    /** Two weeks; then everything known counts half, so that a service may change. */
    private static final long MINUTES_MAX = 20_160;

    /** Neighbouring minutes have the same requests: four of them say as much as one. */
    private static final double DEPENDENT_MINUTES = 4;

    /** 90 % of one squared normal deviate. */
    private static final double CHI_SQUARE = 2.7055;

    /** Nothing is known. */
    public static CostEvidence none() {
        return new CostEvidence(0, new long[CANDIDATES], new long[CANDIDATES]);
    }

    /**
     * The work of a minute at each candidate, microseconds of CPU time at no concurrency; the first
     * is what was used. Without a quota there is nothing to be dearer than, and all are alike.
     */
    public static long[] workUs(ServiceSums minute) {
        OptionalDouble quota = minute.bandwidth().quotaCores();
        BucketCounts usage = minute.distributions().usage();
        long[] work = new long[CANDIDATES];
        double[] priced = new double[CANDIDATES];
        for (int bucket = 0; bucket < usage.end(); bucket++) {
            long slices = usage.count(bucket);
            double cores = slices == 0 ? 0 : UsageLayout.V1.value(bucket);
            double above = quota.isEmpty() ? 0 : Math.max(0, cores / quota.getAsDouble() - 1);
            for (int at = 0; at < CANDIDATES; at++) {
                priced[at] += slices * cores / (1 + at / STEPS * above);
            }
        }
        for (int at = 0; at < CANDIDATES; at++) {
            // The histogram says how the counter's time was spread.
            work[at] =
                    priced[0] > 0
                            ? Math.round(minute.usage().usageUs() * (priced[at] / priced[0]))
                            : 0;
        }
        return work;
    }

    /** One minute more; one with too few requests or no work changes nothing. */
    public CostEvidence plus(long[] workUs, long requests) {
        if (requests < REQUESTS_MIN || Arrays.stream(workUs).anyMatch(work -> work < 1)) {
            return this;
        }
        boolean fades = minutes >= MINUTES_MAX;
        long[] nextSums = new long[CANDIDATES];
        long[] nextSquares = new long[CANDIDATES];
        for (int at = 0; at < CANDIDATES; at++) {
            long log = Math.round(LOG_UNIT * StrictMath.log(workUs[at] / (double) requests));
            nextSums[at] = (fades ? sums[at] / 2 : sums[at]) + log;
            nextSquares[at] = (fades ? squares[at] / 2 : squares[at]) + log * log;
        }
        return new CostEvidence((fades ? minutes / 2 : minutes) + 1, nextSums, nextSquares);
    }

    /**
     * Kappa with its interval.
     *
     * @param low 5th percentile
     * @param value where the spread is least
     * @param high 95th percentile
     */
    public record Estimate(double low, double value, double high) {}

    /** The estimate; with too little to tell, the whole range. */
    public Estimate estimate() {
        double[] spread = new double[CANDIDATES];
        int best = 0;
        for (int at = 0; at < CANDIDATES; at++) {
            // Rounding leaves a twelfth of a unit squared in each minute, so no spread is nought.
            spread[at] =
                    minutes / 12.0
                            + Math.max(0, squares[at] - (double) sums[at] * sums[at] / minutes);
            best = spread[at] < spread[best] ? at : best;
        }
        double freedom = minutes / DEPENDENT_MINUTES - 2;
        if (!(freedom > 0)) {
            return new Estimate(0, KAPPA_MAX / 3, KAPPA_MAX);
        }
        double allowed = spread[best] * (1 + CHI_SQUARE / freedom);
        double value = vertex(spread, best);
        return new Estimate(
                Math.min(value, edge(spread, best, -1, allowed)),
                value,
                Math.max(value, edge(spread, best, 1, allowed)));
    }

    /** The bottom of the parabola through the best candidate and its neighbours. */
    private static double vertex(double[] spread, int best) {
        if (best == 0 || best == CANDIDATES - 1) {
            return best / STEPS;
        }
        double bend = spread[best - 1] - 2 * spread[best] + spread[best + 1];
        double shift = bend > 0 ? 0.5 * (spread[best - 1] - spread[best + 1]) / bend : 0;
        return (best + shift) / STEPS;
    }

    /** Where the spread passes what is allowed, going from the best candidate to one side. */
    private static double edge(double[] spread, int best, int side, double allowed) {
        int at = best;
        while (at + side >= 0 && at + side < CANDIDATES && spread[at + side] <= allowed) {
            at += side;
        }
        if (at + side < 0 || at + side >= CANDIDATES) {
            return at / STEPS;
        }
        double part = (allowed - spread[at]) / (spread[at + side] - spread[at]);
        return (at + side * part) / STEPS;
    }
}
