package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;

/**
 * Usage of a throttled shard has zeros and peaks where demand has neither: in a run of saturated
 * periods only the total is known. It is spread over the run with a falling ramp, because demand
 * that fills several periods came mostly before its end.
 */
final class SaturatedRuns {
    /** A period that used this part of its quota was probably throttled. */
    private static final double SATURATED_FROM = 0.93;

    /** And one that used more than this began elsewhere: the phase is wrong. */
    private static final double OVERRUN = 1.08;

    /** The ramp falls from 1 + this to 1 - this. */
    private static final double SLOPE = 0.4;

    private SaturatedRuns() {}

    /** Demand in place of usage, both in cores per slot; of the same sum. */
    static double[] spread(double[] usage, CpuLimit.Quota quota) {
        int slots = (int) Math.max(1, quota.periodUs() / DemandSeries.SLOT_US);
        double full = quota.quotaUs() / (double) DemandSeries.SLOT_US;
        int phase = phase(usage, slots, full);
        double[] demand = usage.clone();
        int from = phase;
        while (from + slots <= usage.length) {
            int to = from;
            while (to + slots <= usage.length
                    && sum(usage, to, to + slots) >= SATURATED_FROM * full) {
                to += slots;
            }
            if (to > from) {
                // What the last throttled period left over is used in the next one.
                ramp(demand, from, Math.min(usage.length, to + slots));
            }
            from = Math.max(to, from) + slots;
        }
        return demand;
    }

    /** The phase at which most periods are full and none is more than full. */
    private static int phase(double[] usage, int slots, double full) {
        int best = 0;
        int most = Integer.MIN_VALUE;
        for (int phase = 0; phase < slots; phase++) {
            int score = 0;
            for (int from = phase; from + slots <= usage.length; from += slots) {
                double used = sum(usage, from, from + slots);
                score += used > OVERRUN * full ? -1 : used >= SATURATED_FROM * full ? 1 : 0;
            }
            if (score > most) {
                most = score;
                best = phase;
            }
        }
        return best;
    }

    private static void ramp(double[] demand, int from, int to) {
        double mean = sum(demand, from, to) / (to - from);
        for (int slot = from; slot < to; slot++) {
            double place = (slot - from + 0.5) / (to - from);
            demand[slot] = mean * (1 + SLOPE * (1 - 2 * place));
        }
    }

    private static double sum(double[] values, int from, int to) {
        double sum = 0;
        for (int at = from; at < to; at++) {
            sum += values[at];
        }
        return sum;
    }
}
