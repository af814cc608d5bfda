package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.whatif.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one change would give a service.
 *
 * @param scope of what and when; completeness and shards are those of the horizon
 * @param analysed the analysis that it belongs to
 * @param question the change
 * @param figures the numbers of the change
 * @param baseline outcome of the setting in force
 * @param outcome outcome of the change
 * @param settingText how to apply it; absent where no platform has a setting for it
 * @param reasons in words, the most important first
 */
public record WhatIfOutcome(
        JudgementScope scope,
        Analysed analysed,
        Question question,
        Figures figures,
        Outcome baseline,
        Outcome outcome,
        Optional<String> settingText,
        List<String> reasons) {
    /** A list that cannot change any more. */
    public WhatIfOutcome {
        reasons = List.copyOf(reasons);
    }

    /**
     * A change by name.
     *
     * @param scenario words that stay the same from analysis to analysis
     * @param kind kind of the change
     * @param order place in the list, 0 = the setting in force
     */
    public record Question(String scenario, ScenarioKind kind, int order) {}

    /**
     * What a shard would be set to.
     *
     * @param quotaCores quota / period; absent without a quota, as are the next two
     * @param periodUs period, microseconds
     * @param burstUs burst allowance, microseconds
     * @param capCores most cores at any instant
     * @param loadMultiple load of a shard / its load now
     */
    public record Figures(
            OptionalDouble quotaCores,
            Optional<Long> periodUs,
            Optional<Long> burstUs,
            double capCores,
            double loadMultiple) {}
}
