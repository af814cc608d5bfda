package io.quotascope.domain.analysis;

import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;

/**
 * What an operator decides about judging risk.
 *
 * @param policy thresholds of the search
 * @param rule thresholds of the alarm
 * @param outlookUs how far death_spiral_risk looks ahead, microseconds
 * @param redistribution what clients do with the load of a collapsed shard
 */
public record RiskSettings(
        RiskPolicy policy, EarlyWarning.Rule rule, long outlookUs, Redistribution redistribution) {
    /** The fitted policy, an hour ahead, clients that give up on a dead shard. */
    public static final RiskSettings DEFAULT =
            new RiskSettings(
                    RiskPolicy.DEFAULT,
                    EarlyWarning.Rule.DEFAULT,
                    LoadPeaks.HOUR_US,
                    Redistribution.EJECT);

    /**
     * Settings that can be judged by.
     *
     * @throws IllegalArgumentException when the outlook is not positive
     */
    public RiskSettings {
        if (outlookUs < 1) {
            throw new IllegalArgumentException("outlookUs must be positive: " + outlookUs);
        }
    }
}
