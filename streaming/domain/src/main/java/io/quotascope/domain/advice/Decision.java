package io.quotascope.domain.advice;

import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.advice.Target;
import java.util.List;

/**
 * The recommended change of a service, and what it was chosen from.
 *
 * @param service what it has
 * @param target what is to be reached, and at which peak
 * @param coresStay whether the candidates keep the cores of today, because the owner wants latency
 *     and that reaches the target
 * @param now outcome at peak as it is set now
 * @param candidates all of them, the one without fixes first
 * @param chosen one of them
 */
public record Decision(
        Service service,
        Target target,
        boolean coresStay,
        Outcome now,
        List<Candidate> candidates,
        Candidate chosen) {
    /** A list that cannot change any more. */
    public Decision {
        candidates = List.copyOf(candidates);
    }

    /** The candidate without fixes. */
    public Candidate withoutFixes() {
        return candidates.get(0);
    }
}
