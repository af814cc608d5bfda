package io.quotascope.domain.whatif.advice;

import io.quotascope.domain.whatif.Outcome;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The change that a service should make, or why none.
 *
 * @param setting what to set
 * @param now outcome at peak as it is set now
 * @param after outcome at peak with the setting
 * @param headroom collapse load / peak load with the setting; absent when not known
 * @param coresSaved cores a shard no longer needs; negative when it needs more
 * @param effort the gravest of its changes
 * @param reached whether the target is reached
 * @param reasons in words, the most important first
 */
public record Recommendation(
        Setting setting,
        Outcome now,
        Outcome after,
        OptionalDouble headroom,
        double coresSaved,
        Effort effort,
        boolean reached,
        List<String> reasons) {
    /** A list that cannot change any more. */
    public Recommendation {
        reasons = List.copyOf(reasons);
    }
}
