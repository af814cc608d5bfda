package io.quotascope.fleetsim.fleet;

import java.util.Locale;

/**
 * What is wrong with a kind of service, as injected. The share is that of the services of a fleet
 * which have it; what is left of 1 is healthy.
 */
public enum Flaw {
    /** Nothing: enough quota for its peaks and no more threads than cores. */
    NONE(false, 0, 8),
    /** Many more workers than quota cores under bursts: throttled at a low average use. */
    POOL(true, 0.12, 4),
    /** A stop-the-world collector with as many threads as the host has CPUs. */
    COLLECTIONS(true, 0.05, 2),
    /** Less quota than the peaks of the day need. */
    SMALL_QUOTA(true, 0.09, 3),
    /** Many times the quota that its peaks need. */
    OVER_RESERVED(true, 0.15, 3),
    /** Batch work that is meant to take what its quota gives: always throttled, nothing to tune. */
    INTENDED(false, 0.04, 1),
    /** A side-car of a tenth of a core: throttled, and not worth anybody's time. */
    TINY(false, 0.06, 2),
    /**
     * Many workers that run briefly, each on a CPU of its own: fast on sound kernels, throttled at
     * half of its quota where slices expire. It lives in the cluster with old kernels, and nothing
     * about the service wants tuning.
     */
    SPREAD(false, 0, 2);

    private final boolean mistuned;
    private final double share;
    private final int kinds;

    Flaw(boolean mistuned, double share, int kinds) {
        this.mistuned = mistuned;
        this.share = share;
        this.kinds = kinds;
    }

    /** Whether tuning the service is worth something: what a ranking has to find. */
    public boolean mistuned() {
        return mistuned;
    }

    /** Share of the services of a fleet. */
    double share() {
        return share;
    }

    /** Different kinds of service with it. */
    int kinds() {
        return kinds;
    }

    /** Name in the truth. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
