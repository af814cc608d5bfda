package io.quotascope.validate.estimate;

import io.quotascope.domain.window.ServiceSums;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Something that judges services. It answers what it can; a question without an answer is left out
 * of its rows, and its rows say how many it answered. It must be deterministic and without state:
 * questions come from several threads.
 */
public interface Estimator {
    /** As the table spells it. */
    String name();

    /** Throttled period ratio after a change, 0..1. */
    default Optional<Estimate> throttledPeriodRatio(Observation seen, Scenario scenario) {
        return Optional.empty();
    }

    /** Multiple of the observed load from which an empty service collapses within the horizon. */
    default Optional<Estimate> collapseLoadMultiple(Observation seen) {
        return Optional.empty();
    }

    /** Multiple of the observed load up to which it recovers from a pulse of 1 s at 3 x quota. */
    default Optional<Estimate> recoveryLoadMultiple(Observation seen) {
        return Optional.empty();
    }

    /** Probability that the service collapses at a multiple of the observed load; or a score. */
    default OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
        return OptionalDouble.empty();
    }

    /**
     * Capacity after a change / capacity now. Capacity is the largest load at which the 99th
     * percentile of latency stays within the objective.
     */
    default Optional<Estimate> capacityMultiple(Observation seen, Scenario fix, long objectiveUs) {
        return Optional.empty();
    }

    /** Begins to watch a service; absent = raises no alarms. */
    default Optional<Watch> watch() {
        return Optional.empty();
    }

    /** Watches one service minute by minute; may have state. */
    interface Watch {
        /** Whether the alarm is on after this minute. */
        boolean alarm(Observation minute);
    }

    /** The last minute of an observation, for estimators that look at one row. */
    static ServiceSums latest(Observation seen) {
        return seen.minutes().get(seen.minutes().size() - 1);
    }
}
