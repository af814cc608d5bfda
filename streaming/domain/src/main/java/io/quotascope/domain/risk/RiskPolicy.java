package io.quotascope.domain.risk;

import io.quotascope.domain.whatif.ClientPolicy;
import java.util.Optional;

/**
 * Thresholds of the risk model. The statistical ones were fitted on development services
 * (docs/model/risk.md).
 *
 * @param collapsedRatio share of first attempts that time out, in the last 40 % of a replay, from
 *     which a service counts as collapsed
 * @param pulseUs length of the standard pulse that tests recovery, microseconds
 * @param pulseQuotas cores of the pulse in multiples of the quota
 * @param replayUsMin shortest replay, microseconds; shorter series are repeated
 * @param multipleMin least load multiple that is searched
 * @param multipleMax greatest one; beyond it the cliff is only said to be farther
 * @param precision ratio of two multiples at which the search ends
 * @param calibration what replays miss; absent = take them as they are
 * @param deviationKnown standard error of the logarithm of a replay without calibration, when
 *     timeout and retries are known
 * @param deviationAssumed the same when they are assumed
 * @param freedom degrees of freedom of Student's distribution that its tails follow
 * @param assumedClients clients of a service whose owner states none
 */
public record RiskPolicy(
        double collapsedRatio,
        long pulseUs,
        double pulseQuotas,
        long replayUsMin,
        double multipleMin,
        double multipleMax,
        double precision,
        Optional<CliffCalibration> calibration,
        double deviationKnown,
        double deviationAssumed,
        double freedom,
        ClientPolicy assumedClients) {
    /** The fitted policy. */
    public static final RiskPolicy DEFAULT =
            new RiskPolicy(
                    0.30,
                    1_000_000,
                    3,
                    40_000_000,
                    1 / 16.0,
                    16,
                    1.02,
                    Optional.of(CliffCalibration.FITTED),
                    0.118,
                    0.13,
                    2.5,
                    new ClientPolicy(200_000, 2));

    /** The same with other fitted lines. */
    public RiskPolicy with(CliffCalibration other) {
        return new RiskPolicy(
                collapsedRatio,
                pulseUs,
                pulseQuotas,
                replayUsMin,
                multipleMin,
                multipleMax,
                precision,
                Optional.of(other),
                deviationKnown,
                deviationAssumed,
                freedom,
                assumedClients);
    }

    double deviation(boolean clientsKnown) {
        return clientsKnown ? deviationKnown : deviationAssumed;
    }
}
