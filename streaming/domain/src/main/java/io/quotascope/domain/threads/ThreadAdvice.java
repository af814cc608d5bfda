package io.quotascope.domain.threads;

import io.quotascope.domain.window.ExcursionThread;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What to do about a service's threads.
 *
 * @param step what to do
 * @param reason why, in words
 * @param pools names of the pools that ran above the quota, the busiest first; empty when names are
 *     not measured
 * @param poolsMeasured true when the names were measured; otherwise any pool named elsewhere is a
 *     hypothesis
 */
public record ThreadAdvice(Step step, String reason, List<String> pools, boolean poolsMeasured) {
    /** What to do, the mildest first. */
    public enum Step {
        /** The threads fit. */
        NONE,
        /** They can just outrun the reservation. */
        WATCH,
        /** Make the largest pool smaller. */
        SHRINK_LARGEST_POOL,
        /** CPU pools to the reserved cores at most, event loops to one or two threads. */
        SHRINK_TO_RESERVATION,
        /** As above, and look at defaults taken from the host's CPUs. */
        REVIEW_DEFAULTS,
        /** The evidence leaves room for more than one of these. */
        UNKNOWN
    }

    /**
     * Thresholds on runnable threads per reserved core, 99th percentile. Of 100 simulated services
     * the share throttled in more than 1 % of periods is 0 % up to 1, 39 % up to 1.5, 62 % up to 2,
     * 82 % up to 3 and all above; of 51 runs on a kernel, all above 2, every one was
     * (docs/journal/2026-11-22-kernel-rows.md). The step at 5 is the articles', not fitted.
     *
     * @param watchFrom above it threads can outrun the reservation
     * @param poolFrom above it the largest pool is too large when the service also suffers
     * @param reservationFrom above it pools are too large in any case
     * @param defaultsFrom above it they follow the host's CPUs, not the reservation
     * @param utilizationMin a service suffers from this use of its reservation on
     * @param throttledRatioMin or from this throttled period ratio on
     */
    public record Thresholds(
            double watchFrom,
            double poolFrom,
            double reservationFrom,
            double defaultsFrom,
            double utilizationMin,
            double throttledRatioMin) {
        /** 1, 1.5, 2, 5; 40 % used or 1 % throttled. */
        public static final Thresholds DEFAULT = new Thresholds(1, 1.5, 2, 5, 0.4, 0.01);
    }

    /**
     * Evidence on one service.
     *
     * @param runnableP99 99th percentile of runnable threads per reserved core; absent when not
     *     measured
     * @param low lower bound of it, from running threads; absent without reservation
     * @param high upper bound of it, from all threads; absent when threads are not counted
     * @param reservedCoreUtilization used / reserved cores; absent without reservation
     * @param throttledPeriodRatio throttled periods / periods; absent without periods
     * @param pools CPU time above quota by thread name; empty when names are not measured
     */
    public record Evidence(
            OptionalDouble runnableP99,
            OptionalDouble low,
            OptionalDouble high,
            OptionalDouble reservedCoreUtilization,
            OptionalDouble throttledPeriodRatio,
            List<ExcursionThread> pools) {}

    /** Advises from what is measured, else from what both bounds agree on. */
    public static ThreadAdvice of(Evidence evidence, Thresholds thresholds) {
        List<String> pools =
                evidence.pools().stream()
                        .sorted(
                                Comparator.comparingLong(ExcursionThread::usageUs)
                                        .reversed()
                                        .thenComparing(ExcursionThread::comm))
                        .map(ExcursionThread::comm)
                        .toList();
        if (evidence.runnableP99().isPresent()) {
            double ratio = evidence.runnableP99().getAsDouble();
            return new ThreadAdvice(
                    step(ratio, evidence, thresholds),
                    text("%.1f runnable threads per reserved core (99th percentile)", ratio),
                    pools,
                    !pools.isEmpty());
        }
        if (evidence.low().isEmpty() || evidence.high().isEmpty()) {
            return new ThreadAdvice(
                    Step.UNKNOWN,
                    "runnable threads are not measured, and one of their bounds is missing",
                    pools,
                    !pools.isEmpty());
        }
        return fromBounds(
                evidence.low().getAsDouble(),
                evidence.high().getAsDouble(),
                evidence,
                thresholds,
                pools);
    }

    private static ThreadAdvice fromBounds(
            double low, double high, Evidence evidence, Thresholds thresholds, List<String> pools) {
        Step least = step(low, evidence, thresholds);
        Step most = step(high, evidence, thresholds);
        String between =
                text("runnable threads are not measured; between %.1f and %.1f", low, high)
                        + " per reserved core";
        return new ThreadAdvice(
                least == most ? least : Step.UNKNOWN,
                least == most ? between + ", which is the same advice" : between,
                pools,
                !pools.isEmpty());
    }

    private static Step step(double ratio, Evidence evidence, Thresholds thresholds) {
        if (ratio > thresholds.defaultsFrom()) {
            return Step.REVIEW_DEFAULTS;
        }
        if (ratio > thresholds.reservationFrom()) {
            return Step.SHRINK_TO_RESERVATION;
        }
        boolean suffers =
                evidence.reservedCoreUtilization().orElse(0) > thresholds.utilizationMin()
                        || evidence.throttledPeriodRatio().orElse(0)
                                > thresholds.throttledRatioMin();
        if (ratio > thresholds.poolFrom() && suffers) {
            return Step.SHRINK_LARGEST_POOL;
        }
        return ratio > thresholds.watchFrom() ? Step.WATCH : Step.NONE;
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }
}
