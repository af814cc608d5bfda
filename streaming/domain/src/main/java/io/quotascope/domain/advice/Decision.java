package io.quotascope.domain.advice;

import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.advice.Target;
import java.util.List;
import java.util.Optional;

/**
 * The recommended change of a service, and what it was chosen from.
 *
 * @param service what it has
 * @param target what is to be reached, and at which peak
 * @param objective what no candidate that reaches the target makes worse
 * @param coresStay whether the candidates keep the cores of today, because the owner wants latency
 *     and that reaches the target
 * @param now outcome at peak as it is set now
 * @param candidates all of them, the one without fixes first
 * @param chosen one of them
 * @param refused what would have been chosen were there no latency objective; absent when that
 *     keeps it too
 */
public record Decision(
        Service service,
        Target target,
        LatencyObjective objective,
        boolean coresStay,
        Outcome now,
        List<Candidate> candidates,
        Candidate chosen,
        Optional<Candidate> refused) {
    /** A list that cannot change any more. */
    public Decision {
        candidates = List.copyOf(candidates);
    }

    /** The same, knowing what would have been chosen were there no objective. */
    Decision unless(Candidate other) {
        return new Decision(
                service,
                target,
                objective,
                coresStay,
                now,
                candidates,
                chosen,
                Optional.of(other).filter(each -> !objective.keptBy(each.after(), now)));
    }

    /** The candidate without fixes. */
    public Candidate withoutFixes() {
        return candidates.get(0);
    }
}
