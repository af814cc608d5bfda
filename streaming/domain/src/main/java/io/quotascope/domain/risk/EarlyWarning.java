package io.quotascope.domain.risk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The rule of the alert path, each minute: the last known cliff is rescaled by what the load did
 * since, and checked beside what the kernel counts now. Cheap, so that it can wait for no analysis.
 *
 * @param alarm true when the service is too near its cliff
 * @param recompute true when things moved so much that the cliff must be computed anew at once
 * @param headroom collapse load / load of this minute
 * @param reasons why, in words
 */
public record EarlyWarning(
        boolean alarm, boolean recompute, double headroom, List<String> reasons) {
    /**
     * Thresholds of the rule.
     *
     * @param headroomMin alarm below this headroom
     * @param throttledRatioMax alarm above this throttled period ratio
     * @param loadMoved relative change of load that asks for a new cliff
     * @param throttledRatioMoved the same for the throttled period ratio, absolute
     * @param runPeriodsMoved the same for the longest throttled run, periods
     */
    public record Rule(
            double headroomMin,
            double throttledRatioMax,
            double loadMoved,
            double throttledRatioMoved,
            long runPeriodsMoved) {
        /**
         * Headroom 1.25 or 25 % throttled; 10 % of load, 2 points or 2 periods. The headroom is the
         * one that {@code make fit-warning} finds; the alert {@code cliff_near} begins at it when
         * two minutes in a row are beyond.
         */
        public static final Rule DEFAULT = new Rule(1.25, 0.25, 0.10, 0.02, 2);
    }

    /**
     * What is watched in a minute.
     *
     * @param usedCores used cores
     * @param throttledPeriodRatio throttled periods / periods
     * @param throttledRunPeriodsMax longest throttled run, periods
     */
    public record Minute(
            double usedCores, double throttledPeriodRatio, long throttledRunPeriodsMax) {}

    /**
     * Judges a minute.
     *
     * @param collapse the last cliff
     * @param then the minute that the cliff was computed for
     * @param now this minute
     * @throws IllegalArgumentException when the earlier minute used no CPU: it has no cliff
     */
    public static EarlyWarning judge(Multiple collapse, Minute then, Minute now, Rule rule) {
        if (!(then.usedCores() > 0)) {
            throw new IllegalArgumentException("a cliff of a minute without load");
        }
        double growth = now.usedCores() / then.usedCores();
        double headroom = growth > 0 ? collapse.value() / growth : collapse.value();
        List<String> reasons = new ArrayList<>();
        if (headroom < rule.headroomMin()) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "collapse is expected at %.2f times this minute's load",
                            headroom));
        }
        throttled(now, rule).ifPresent(reasons::add);
        return new EarlyWarning(!reasons.isEmpty(), moved(then, now, rule), headroom, reasons);
    }

    /** What the kernel's counts say by themselves; absent below the threshold. */
    public static Optional<String> throttled(Minute now, Rule rule) {
        return now.throttledPeriodRatio() > rule.throttledRatioMax()
                ? Optional.of(
                        String.format(
                                Locale.ROOT,
                                "%.0f %% of periods are throttled",
                                100 * now.throttledPeriodRatio()))
                : Optional.empty();
    }

    /** Whether things moved so much since the earlier minute that its cliff is out of date. */
    public static boolean moved(Minute then, Minute now, Rule rule) {
        boolean load =
                then.usedCores() > 0
                        ? Math.abs(now.usedCores() / then.usedCores() - 1) >= rule.loadMoved()
                        : now.usedCores() > 0;
        return load
                || Math.abs(now.throttledPeriodRatio() - then.throttledPeriodRatio())
                        >= rule.throttledRatioMoved()
                || Math.abs(now.throttledRunPeriodsMax() - then.throttledRunPeriodsMax())
                        >= rule.runPeriodsMoved();
    }
}
