package io.quotascope.domain.window;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the kernel enforces on a cgroup: at most quota of CPU time in every period.
 *
 * @param quotaUs microseconds; absent = unlimited
 * @param periodUs microseconds; absent = the cgroup has no cpu controller, and then a quota means
 *     nothing
 */
public record Bandwidth(OptionalLong quotaUs, OptionalLong periodUs) {
    /** Label of shards without a quota. */
    public static final String UNLIMITED = "unlimited";

    /** Label of shards without a cpu controller. */
    public static final String NO_CONTROLLER = "none";

    /** No cpu controller. */
    public static final Bandwidth NONE = new Bandwidth(OptionalLong.empty(), OptionalLong.empty());

    /** A cgroup with a quota. */
    public static Bandwidth of(long quotaUs, long periodUs) {
        return new Bandwidth(OptionalLong.of(quotaUs), OptionalLong.of(periodUs));
    }

    /** A cgroup whose cpu.max says max. */
    public static Bandwidth unlimited(long periodUs) {
        return new Bandwidth(OptionalLong.empty(), OptionalLong.of(periodUs));
    }

    /**
     * The label that groups shards: {@code <millicores>m/<period>} with whole millicores rounded
     * down and the period in ms where it is a whole number of them, else in us; {@code unlimited};
     * {@code none}.
     */
    public String quotaClass() {
        if (periodUs.isEmpty()) {
            return NO_CONTROLLER;
        }
        if (quotaUs.isEmpty()) {
            return UNLIMITED;
        }
        long period = periodUs.getAsLong();
        // quota is at most 2^53, so 1000 x quota stays below 2^63
        String millicores = 1000 * quotaUs.getAsLong() / period + "m/";
        return period % 1000 == 0 ? millicores + period / 1000 + "ms" : millicores + period + "us";
    }

    /**
     * Cores that the kernel allows: quota / period. Absent when unlimited or without controller.
     */
    public OptionalDouble quotaCores() {
        if (quotaUs.isEmpty() || periodUs.isEmpty()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(quotaUs.getAsLong() / (double) periodUs.getAsLong());
    }

    /**
     * What stands for a class whose members differ below the label's precision (periods of
     * unlimited shards, parts of a millicore): the least of each, so that order does not matter.
     */
    public Bandwidth least(Bandwidth other) {
        return equals(other)
                ? this
                : new Bandwidth(least(quotaUs, other.quotaUs), least(periodUs, other.periodUs));
    }

    private static OptionalLong least(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return one.getAsLong() <= other.getAsLong() ? one : other;
    }

    /** This setting as its class sees it: without a controller a quota means nothing. */
    public Bandwidth ofClass() {
        return periodUs.isEmpty() ? NONE : this;
    }
}
