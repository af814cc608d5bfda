package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.IllegalStepException;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.domain.verification.ServiceHour;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Outcome;
import java.util.Optional;

/** What a judgement says to the ledger. */
final class LedgerSteps {
    private LedgerSteps() {}

    /** The entry after a judgement of its change; absent when nothing follows for it. */
    static Optional<Recommendation> after(Recommendation entry, VerifiedChange result) {
        Recommendation.Step taken =
                new Recommendation.Step(
                        result.windowStartUs() + ServiceHour.HOUR_US,
                        Optional.empty(),
                        Optional.of(result.reasons().get(0)));
        RecommendationState next =
                result.outcome() == Outcome.REGRESSED
                        ? RecommendationState.REGRESSED
                        : RecommendationState.VERIFIED;
        boolean says =
                result.outcome() == Outcome.REGRESSED || result.outcome() == Outcome.VERIFIED;
        if (!says || !entry.state().mayBecome(next) || taken.atUs() < entry.step().atUs()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    next == RecommendationState.VERIFIED
                            ? entry.verify(taken)
                            : entry.regress(taken));
        } catch (IllegalStepException impossible) {
            throw new IllegalStateException("a step that was asked about", impossible);
        }
    }

    /** Whether something of a service was carried out that frees cores. */
    static boolean saved(String service, Iterable<Recommendation> entries) {
        for (Recommendation entry : entries) {
            boolean done =
                    entry.state() == RecommendationState.APPLIED
                            || entry.state() == RecommendationState.VERIFIED;
            if (done && entry.advice().service().equals(service)) {
                return true;
            }
        }
        return false;
    }
}
