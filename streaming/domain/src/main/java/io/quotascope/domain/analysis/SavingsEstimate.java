package io.quotascope.domain.analysis;

import io.quotascope.domain.advice.Candidate;
import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one set of fixes would free of a service's reservation. Sets are alternatives: only the best
 * one of each service may be added up.
 *
 * @param scope of what and when; completeness and shards are those of the horizon
 * @param analysed the analysis that it belongs to
 * @param choice the set
 * @param aim what the owner takes a gain as
 * @param reservation what is reserved and what keeps it from being less
 * @param change what would be set, and what its replay gives; absent where nothing was replayed
 * @param freed cores that can go; absent when nothing is reserved or the cliff is not known
 * @param value in money; absent without a price or without freed cores
 * @param objective latency objective that was used
 * @param kappa cost of concurrency that was used
 * @param trust how far the figures can be believed
 * @param settingText how to apply the set; absent when there is nothing to apply
 * @param sentences why the figures are what they are, the most important first
 */
public record SavingsEstimate(
        JudgementScope scope,
        Analysed analysed,
        Choice choice,
        Target.Aim aim,
        Reservation reservation,
        Optional<Change> change,
        Optional<Freed> freed,
        Optional<Value> value,
        LatencyObjective objective,
        Kappa kappa,
        Trust.Verdict trust,
        Optional<String> settingText,
        List<Sentence> sentences) {
    /** A list that cannot change any more. */
    public SavingsEstimate {
        sentences = List.copyOf(sentences);
    }

    /** All sentences. */
    public List<String> reasons() {
        return Sentence.words(sentences);
    }

    /** Of the reasons those that limit trust. */
    public List<String> trustReasons() {
        return Sentence.limits(sentences);
    }

    /**
     * A set of fixes.
     *
     * @param name its fixes, joined by +
     * @param order place in the list, 0 = no fix
     * @param best whether it is the one to make
     * @param fixes the set with its gain; absent for no fix
     */
    public record Choice(String name, int order, boolean best, Optional<FixSet> fixes) {}

    /**
     * What is reserved.
     *
     * @param reservedCoresTotal of all shards; absent when nothing is, as are need and floor
     * @param peakUsedCores greatest use of the service in the last 14 days; absent without usage
     * @param headroom collapse load / peak load; absent when the cliff is not known
     * @param headroomTarget headroom to keep
     * @param needCores cores needed without any fix at the target headroom
     * @param floorCores cores below which other reasons than CPU forbid to go
     */
    public record Reservation(
            OptionalDouble reservedCoresTotal,
            OptionalDouble peakUsedCores,
            OptionalDouble headroom,
            double headroomTarget,
            OptionalDouble needCores,
            OptionalDouble floorCores) {}

    /**
     * What would be set.
     *
     * @param candidate setting, size and outcome
     * @param now outcome at peak as it is set now
     * @param target what is to be reached, and at which peak
     */
    public record Change(Candidate candidate, Outcome now, Target target) {}

    /**
     * Cores that can go.
     *
     * @param rightSizing without any fix
     * @param byFixes further ones that the fixes free
     */
    public record Freed(Estimate rightSizing, Estimate byFixes) {}

    /**
     * Freed cores in money, US dollars a year.
     *
     * @param priceClass row of the price book
     * @param priceBookVersion the book
     * @param rightSizing reservation value of the cores that are free without any fix
     * @param byFixes reservation value of the further ones
     * @param cashable what stops being paid for whole hosts that the fixes empty; absent when the
     *     book does not say how full hosts are
     */
    public record Value(
            String priceClass,
            long priceBookVersion,
            Estimate rightSizing,
            Estimate byFixes,
            OptionalDouble cashable) {}
}
