package io.quotascope.domain.ledger;

import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One entry of the ledger. Entries are immutable; each step makes the next version of one, and only
 * the steps of {@link RecommendationState#mayBecome} exist.
 *
 * @param advice what is advised to whom
 * @param forecast what is promised; it never changes once accepted
 * @param version rises with every step, from 1
 * @param state how far it has come
 * @param step who took the last step, when and why
 * @param owner who carries it out
 * @param dates when it passed its states
 * @param credited which cores of the reservation are its own; none before it is accepted and after
 *     it was rejected or has regressed
 */
public record Recommendation(
        Advice advice,
        Forecast forecast,
        long version,
        RecommendationState state,
        Step step,
        Optional<String> owner,
        Dates dates,
        CoreSpans credited) {
    /**
     * The last step.
     *
     * @param atUs when, microseconds since the Unix epoch, UTC
     * @param actor who; absent = a job
     * @param reason why; needed to reject
     */
    public record Step(long atUs, Optional<String> actor, Optional<String> reason) {}

    /**
     * When it passed its states, microseconds since the Unix epoch, UTC.
     *
     * @param proposedAtUs proposed
     * @param acceptedAtUs accepted; absent when it was not
     * @param appliedAtUs carried out; absent when it was not
     */
    public record Dates(long proposedAtUs, OptionalLong acceptedAtUs, OptionalLong appliedAtUs) {}

    /**
     * An entry.
     *
     * @throws IllegalArgumentException for a version below 1 or a credit in a state that holds none
     */
    public Recommendation {
        if (version < 1) {
            throw new IllegalArgumentException("version must be at least 1: " + version);
        }
        if (!state.holdsCredit() && credited.millicores() > 0) {
            throw new IllegalArgumentException(
                    "a recommendation that is " + state.label() + " holds no cores");
        }
    }

    /** A new entry. */
    public static Recommendation propose(
            Advice advice, Forecast forecast, long atUs, Optional<String> actor) {
        return new Recommendation(
                advice,
                forecast,
                1,
                RecommendationState.PROPOSED,
                new Step(atUs, actor, Optional.empty()),
                Optional.empty(),
                new Dates(atUs, OptionalLong.empty(), OptionalLong.empty()),
                CoreSpans.NONE);
    }

    /**
     * The same advice with today's figures; only while nobody has answered.
     *
     * @throws IllegalStepException when it was answered or the advice is another one
     */
    public Recommendation renew(Recommendation proposal) throws IllegalStepException {
        if (state != RecommendationState.PROPOSED || !advice.equals(proposal.advice)) {
            throw new IllegalStepException(
                    key()
                            + " is "
                            + state.label()
                            + " with \""
                            + advice.settingText()
                            + "\"; propose under another id");
        }
        return new Recommendation(
                advice,
                proposal.forecast,
                version + 1,
                state,
                proposal.step,
                owner,
                dates,
                credited);
    }

    /**
     * Somebody will do it: the prediction is frozen and the cores that nobody else holds are
     * credited.
     *
     * @param ledger entries of the ledger; those of other services do not matter
     * @throws IllegalStepException when it is not proposed
     */
    public Recommendation accept(
            Collection<Recommendation> ledger, String carriedOutBy, Step accepted)
            throws IllegalStepException {
        Recommendation next =
                next(
                        RecommendationState.ACCEPTED,
                        accepted,
                        Optional.of(carriedOutBy),
                        new Dates(
                                dates.proposedAtUs(),
                                OptionalLong.of(accepted.atUs()),
                                OptionalLong.empty()),
                        CoreSpans.NONE);
        return new Recommendation(
                next.advice,
                next.forecast,
                next.version,
                next.state,
                next.step,
                next.owner,
                next.dates,
                Credit.of(next, ledger));
    }

    /**
     * Somebody says no.
     *
     * @throws IllegalStepException when it is too late for that or no reason is given
     */
    public Recommendation reject(Step rejected) throws IllegalStepException {
        if (rejected.reason().map(String::isBlank).orElse(true)) {
            throw new IllegalStepException("to reject " + key() + " give a reason");
        }
        return next(RecommendationState.REJECTED, rejected, owner, dates, CoreSpans.NONE);
    }

    /**
     * It is carried out.
     *
     * @throws IllegalStepException when it is not accepted
     */
    public Recommendation apply(Step applied) throws IllegalStepException {
        return next(
                RecommendationState.APPLIED,
                applied,
                owner,
                new Dates(
                        dates.proposedAtUs(),
                        dates.acceptedAtUs(),
                        OptionalLong.of(applied.atUs())),
                credited);
    }

    /**
     * It was measured and holds.
     *
     * @throws IllegalStepException when it is not applied
     */
    public Recommendation verify(Step verified) throws IllegalStepException {
        return next(RecommendationState.VERIFIED, verified, owner, dates, credited);
    }

    /**
     * It was measured and does not hold, or no longer: its cores are nobody's again.
     *
     * @throws IllegalStepException when it is neither applied nor verified
     */
    public Recommendation regress(Step regressed) throws IllegalStepException {
        return next(RecommendationState.REGRESSED, regressed, owner, dates, CoreSpans.NONE);
    }

    private Recommendation next(
            RecommendationState to,
            Step taken,
            Optional<String> carriedOutBy,
            Dates passed,
            CoreSpans held)
            throws IllegalStepException {
        if (!state.mayBecome(to)) {
            throw new IllegalStepException(
                    key() + " is " + state.label() + " and cannot become " + to.label());
        }
        if (taken.atUs() < step.atUs()) {
            throw new IllegalStepException(
                    key()
                            + " cannot become "
                            + to.label()
                            + " at "
                            + taken.atUs()
                            + " us, before it was "
                            + state.label()
                            + " at "
                            + step.atUs()
                            + " us");
        }
        return new Recommendation(
                advice, forecast, version + 1, to, taken, carriedOutBy, passed, held);
    }

    /** Credited share of the predicted money, US dollars a year; absent without a price. */
    public OptionalDouble creditedUsdPerYear() {
        double claimed = forecast.reclaimableCores().map(Forecast.Predicted::value).orElse(0.0);
        if (forecast.money().isEmpty() || !(claimed > 0)) {
            return OptionalDouble.empty();
        }
        double share = Math.min(1, credited.cores() / claimed);
        return OptionalDouble.of(forecast.money().get().usdPerYear().value() * share);
    }

    /** Key on topic recommendation-ledger.v1: origin/cluster/service/recommendation_id. */
    public String key() {
        return advice.topicKey();
    }
}
