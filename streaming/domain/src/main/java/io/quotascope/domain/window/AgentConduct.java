package io.quotascope.domain.window;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a collector did without, and what came in its way, in one window.
 *
 * @param protectionStep what it does without to stay inside its budget: 0 nothing, 1 optional
 *     features, 2 also half of the samples, 3 also cgroups
 * @param protectionReason why, in words; absent at step 0
 * @param budgetSkippedCgroups cgroups left out because of the budget
 * @param shortLivedCgroups cgroups that came and went within the window
 * @param shortLivedUsageUs their CPU time, microseconds; absent when not measured
 * @param clockSteps steps of the wall clock and suspensions noticed
 * @param lateWindows shard records handed over after their time
 */
public record AgentConduct(
        int protectionStep,
        Optional<String> protectionReason,
        int budgetSkippedCgroups,
        int shortLivedCgroups,
        OptionalLong shortLivedUsageUs,
        int clockSteps,
        int lateWindows) {
    /** Nothing happened: the defaults of the schema, as of a collector that does not say. */
    public static final AgentConduct UNEVENTFUL =
            new AgentConduct(0, Optional.empty(), 0, 0, OptionalLong.empty(), 0, 0);
}
