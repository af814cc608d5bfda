package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;

/**
 * What not knowing the cost of concurrency (kappa) does to an answer. Near the limit it decides
 * everything, and in one direction: dearer work makes a backlog dearer still, so a service that
 * seems to bear a tighter setting may not; and a service that is throttled much may be so only
 * because its work is dear, and be free of it after a slight relief. Far from the limit it does
 * nothing.
 */
final class UnknownCost {
    /** From this difference on a setting counts as tighter than the one observed. */
    private static final double TIGHTER_FROM = 0.02;

    private static final double CENSORED_FROM = 0.25;

    /** Used cores / quota cores after the change: nothing below, everything above. */
    private static final double HARMLESS_TO = 0.5;

    private static final double DECIDES_FROM = 0.65;

    /** Part of the way to 1, and to 0, that the interval then reaches. */
    private static final double REACH_UP = 0.9;

    private static final double REACH_DOWN = 0.95;

    private UnknownCost() {}

    /**
     * Whether it widens the interval of an answer noticeably.
     *
     * @param split whether a shard is split: one request then fills more of what is left, so that
     *     its work is dearer even where the setting seems no tighter
     */
    static boolean decides(double value, double observed, Situation after, boolean split) {
        return up(value, observed, after, split) > 0.1 || down(value, observed) > 0;
    }

    static RatioEstimate widen(
            RatioEstimate known, double observed, Situation after, boolean split) {
        double value = known.value();
        return new RatioEstimate(
                value,
                Math.min(known.low(), value * (1 - down(value, observed))),
                Math.max(known.high(), value + up(value, observed, after, split) * (1 - value)));
    }

    private static double up(double value, double observed, Situation after, boolean split) {
        boolean tighter = split || value - observed > TIGHTER_FROM;
        if (!tighter || after.quota().isEmpty()) {
            return 0;
        }
        CpuLimit.Quota quota = after.allowance().quota().orElseThrow();
        double cores = quota.quotaUs() / (double) quota.periodUs();
        double used = after.demand().meanCores() / cores;
        double share = (used - HARMLESS_TO) / (DECIDES_FROM - HARMLESS_TO);
        return REACH_UP * Math.max(0, Math.min(1, share));
    }

    private static double down(double value, double observed) {
        return observed > CENSORED_FROM && value - observed <= TIGHTER_FROM ? REACH_DOWN : 0;
    }
}
