package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.RiskBand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How near a service is to the death spiral in one minute.
 *
 * @param scope of what and when
 * @param load what the service did in the minute
 * @param cliff the last analysis, in multiples of this minute's load; absent before the first one
 *     and without load
 * @param trigger why this very minute was analysed; absent when it was not
 * @param band where the load lies
 * @param outlook what is to be expected of the load
 * @param alarm true when the service is too near its cliff or too much of it is throttled
 * @param reasons why, and why the estimate should be trusted less; the most important first
 */
public record CollapseRisk(
        JudgementScope scope,
        Load load,
        Optional<AnalysedCliff> cliff,
        Optional<AnalysisTrigger> trigger,
        RiskBand band,
        Outlook outlook,
        boolean alarm,
        List<String> reasons) {
    /** A list that cannot change any more. */
    public CollapseRisk {
        reasons = List.copyOf(reasons);
    }

    /**
     * One minute.
     *
     * @param usedCoresPerShard mean use of a shard, cores; absent without records
     * @param throttledPeriodRatio throttled periods / periods; absent without periods
     * @param throttledRunPeriodsMax longest run of throttled periods
     */
    public record Load(
            OptionalDouble usedCoresPerShard,
            OptionalDouble throttledPeriodRatio,
            int throttledRunPeriodsMax) {}

    /**
     * The time to come.
     *
     * @param horizonUs how far it looks, microseconds
     * @param probability of collapse within the horizon, 0..1; absent when the cliff is not known
     * @param forecast of the load; absent without load
     * @param historyHours hours that the forecast can look back on
     */
    public record Outlook(
            long horizonUs,
            OptionalDouble probability,
            Optional<LoadForecast> forecast,
            int historyHours) {}

    /** Collapse load / load of the minute; absent when the cliff is not known. */
    public OptionalDouble headroom() {
        return cliff.isPresent()
                ? OptionalDouble.of(cliff.get().cliff().service().value())
                : OptionalDouble.empty();
    }
}
