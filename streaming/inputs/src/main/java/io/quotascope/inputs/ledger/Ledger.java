package io.quotascope.inputs.ledger;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.IllegalStepException;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.Recommendation.Step;
import io.quotascope.domain.ledger.RecommendationState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The entries of the topic, each in its newest version, and the steps that a command adds. */
final class Ledger {
    private final Map<String, Recommendation> newest = new LinkedHashMap<>();
    private final List<Recommendation> steps = new ArrayList<>();

    Ledger(Collection<Recommendation> log) {
        for (Recommendation entry : log) {
            // Of two that took the same step at once, the first in the log has taken it.
            newest.merge(
                    entry.key(),
                    entry,
                    (before, after) -> after.version() > before.version() ? after : before);
        }
    }

    /** All entries. */
    Collection<Recommendation> entries() {
        return newest.values();
    }

    /** What was added, to be written in this order. */
    List<Recommendation> steps() {
        return List.copyOf(steps);
    }

    /**
     * The entry of an id.
     *
     * @throws InvalidInputException when there is none, or several services have one
     */
    Recommendation find(Optional<String> service, String id) throws InvalidInputException {
        List<Recommendation> found =
                newest.values().stream()
                        .filter(entry -> entry.advice().recommendationId().equals(id))
                        .filter(
                                entry ->
                                        service.isEmpty()
                                                || service.get().equals(entry.advice().service()))
                        .toList();
        if (found.isEmpty()) {
            throw new InvalidInputException(
                    "there is no recommendation " + id + "; recommendation list shows them");
        }
        if (found.size() > 1) {
            throw new InvalidInputException(
                    id
                            + " is the id of "
                            + found.size()
                            + " recommendations, give --service; the first is "
                            + found.get(0).key());
        }
        return found.get(0);
    }

    /** Takes a step of one entry. */
    void add(Recommendation step) {
        newest.put(step.key(), step);
        steps.add(step);
    }

    /** Adds a proposal, or renews one that nobody has answered; the same again changes nothing. */
    void propose(RecommendationFields.Stated stated, long nowUs, Optional<String> actor)
            throws IllegalStepException {
        propose(stated.advice(), stated.forecast(), stated.proposedAtUs().orElse(nowUs), actor);
    }

    /** The same for what was not in a file. */
    void propose(Advice advice, Forecast forecast, long atUs, Optional<String> actor)
            throws IllegalStepException {
        Recommendation proposal = Recommendation.propose(advice, forecast, atUs, actor);
        Recommendation known = newest.get(proposal.key());
        if (known == null) {
            add(proposal);
        } else if (!known.forecast().equals(proposal.forecast())
                || !known.advice().equals(proposal.advice())) {
            add(known.renew(proposal));
        }
    }

    /**
     * Adds an accepted recommendation; one that is in the ledger in that state or beyond is left as
     * it is.
     */
    void importAccepted(RecommendationFields.Stated stated, long nowUs, Optional<String> actor)
            throws IllegalStepException, InvalidInputException {
        Recommendation known = newest.get(stated.advice().topicKey());
        if (known != null && known.state() != RecommendationState.PROPOSED) {
            if (known.advice().equals(stated.advice())
                    && known.forecast().equals(stated.forecast())) {
                return;
            }
            throw new InvalidInputException(
                    known.key()
                            + " is "
                            + known.state().label()
                            + " with another setting or prediction; import it under another id");
        }
        long accepted = stated.acceptedAtUs().orElse(nowUs);
        String owner = stated.owner().orElseThrow(() -> stated.fields().missing("owner"));
        RecommendationFields.Stated dated =
                new RecommendationFields.Stated(
                        stated.fields(),
                        stated.advice(),
                        stated.forecast(),
                        OptionalLong.of(stated.proposedAtUs().orElse(accepted)),
                        stated.acceptedAtUs(),
                        stated.owner());
        propose(dated, accepted, actor);
        Recommendation proposed = newest.get(stated.advice().topicKey());
        add(proposed.accept(entries(), owner, new Step(accepted, actor, Optional.empty())));
    }
}
