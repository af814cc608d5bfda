package io.quotascope.fleetsim.template;

/**
 * Levels of load, equally far apart in proportion. Loads are offered cores / quota cores of the
 * kind as it was set up at first, so a change of the quota does not change the level.
 */
public final class Levels {
    private static final double LEAST = 0.03;
    private static final double STEP = 1.18;

    /** Number of levels; the greatest is 1.16 times the quota. */
    public static final int COUNT = 23;

    private Levels() {}

    /** The level nearest to a load. */
    public static int of(double load) {
        double steps = StrictMath.log(Math.max(load, LEAST) / LEAST) / StrictMath.log(STEP);
        return clamped((int) Math.round(steps));
    }

    /** The nearest one that there is. */
    public static int clamped(int level) {
        return Math.max(0, Math.min(COUNT - 1, level));
    }

    /** The load of a level. */
    public static double load(int level) {
        return LEAST * StrictMath.pow(STEP, level);
    }
}
