package io.quotascope.validate.estimate;

import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What people use today. Every row of the table stands beside these. */
public final class Baselines {
    private static final double ALERT_RATIO = 0.25;

    private Baselines() {}

    /** All of them. */
    public static List<Estimator> all() {
        return List.of(
                new NoChange(),
                new ThrottlingAlert(),
                new AverageUtilization(),
                new HighUtilization(),
                new HalfOfQuota(),
                new LongestRun());
    }

    /** A change changes nothing. */
    private static final class NoChange implements Estimator {
        @Override
        public String name() {
            return "no change";
        }

        @Override
        public Optional<Estimate> throttledPeriodRatio(Observation seen, Scenario scenario) {
            return Optional.of(Estimate.exactly(seen.throttledPeriodRatio()));
        }

        @Override
        public Optional<Estimate> capacityMultiple(
                Observation seen, Scenario fix, long objectiveUs) {
            return Optional.of(Estimate.exactly(1));
        }
    }

    /** CPUThrottlingHigh: the throttled period ratio, with its threshold of 25 %. */
    private static final class ThrottlingAlert implements Estimator {
        @Override
        public String name() {
            return "25 % throttling alert";
        }

        @Override
        public OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
            return OptionalDouble.of(seen.throttledPeriodRatio());
        }

        @Override
        public Optional<Watch> watch() {
            return Optional.of(minute -> minute.throttledPeriodRatio() > ALERT_RATIO);
        }
    }

    /** Used cores / quota: the service collapses when its mean use reaches the quota. */
    private static final class AverageUtilization implements Estimator {
        @Override
        public String name() {
            return "average utilization";
        }

        @Override
        public Optional<Estimate> collapseLoadMultiple(Observation seen) {
            double used = Math.max(1e-3, seen.usedCores());
            return Optional.of(Estimate.exactly(seen.quotaCores() / used));
        }

        @Override
        public OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
            return OptionalDouble.of(
                    Math.min(1, loadMultiple * seen.usedCores() / seen.quotaCores()));
        }

        @Override
        public Optional<Watch> watch() {
            return Optional.of(minute -> minute.usedCores() > 0.7 * minute.quotaCores());
        }
    }

    /** p99 of 10 ms use: the service collapses when it reaches the quota. */
    private static final class HighUtilization implements Estimator {
        @Override
        public String name() {
            return "p99 utilization";
        }

        @Override
        public Optional<Estimate> collapseLoadMultiple(Observation seen) {
            return Optional.of(Estimate.exactly(seen.quotaCores() / Math.max(1e-3, p99(seen))));
        }

        @Override
        public OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
            return OptionalDouble.of(
                    Math.min(1, loadMultiple * p99(seen) / (8 * seen.quotaCores())));
        }

        @Override
        public Optional<Watch> watch() {
            return Optional.of(minute -> p99(minute) > minute.quotaCores());
        }

        private static double p99(Observation seen) {
            ServiceSums latest = Estimator.latest(seen);
            return latest.distributions().usage().quantile(990, UsageLayout.V1).orElse(0);
        }
    }

    /** The rule of thumb: a service is safe up to half of its quota. */
    private static final class HalfOfQuota implements Estimator {
        @Override
        public String name() {
            return "50 % rule";
        }

        @Override
        public Optional<Estimate> collapseLoadMultiple(Observation seen) {
            double used = Math.max(1e-3, seen.usedCores());
            return Optional.of(Estimate.exactly(seen.quotaCores() / 2 / used));
        }

        @Override
        public Optional<Watch> watch() {
            return Optional.of(minute -> minute.usedCores() > 0.5 * minute.quotaCores());
        }
    }

    /** Longest run of throttled periods, as a score. */
    private static final class LongestRun implements Estimator {
        @Override
        public String name() {
            return "longest throttled run";
        }

        @Override
        public OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
            long longest = Estimator.latest(seen).throttling().throttledRunPeriodsMax();
            return OptionalDouble.of(longest / (longest + 20.0));
        }
    }
}
