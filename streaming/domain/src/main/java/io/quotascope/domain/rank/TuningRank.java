package io.quotascope.domain.rank;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.fleet.ReservedCores;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.throttling.UsedCores;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.domain.window.WorstShard;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * Which service to look at first and why, over the minutes of a trailing horizon.
 *
 * @param scope of what and when; completeness and shards are those of the horizon
 * @param horizonUs length of the horizon, microseconds
 * @param horizonWindows minutes of it that had rows
 * @param verdict what to do
 * @param score cores at stake before anybody has estimated a change: idle while the service is
 *     throttled, 0 when its kernel is at fault, or more than its peaks need
 * @param evidence the figures that the verdict rests on
 * @param reclaimable what can be given back; absent unless the verdict is to give back
 * @param reasons why, in words, the most important first
 * @param worstShards names of the shards with the deepest throttling, the worst first
 */
public record TuningRank(
        JudgementScope scope,
        long horizonUs,
        int horizonWindows,
        TuningVerdict verdict,
        double score,
        Evidence evidence,
        Optional<ReclaimableCores> reclaimable,
        List<String> reasons,
        List<String> worstShards) {

    /**
     * Figures over the horizon, each absent where it cannot be known.
     *
     * @param samples samples
     * @param periods periods elapsed
     * @param throttledPeriods throttled periods
     * @param throttledPeriodRatio throttled periods / periods
     * @param throttledUsPerThrottledPeriod depth, microseconds
     * @param excursionRatio samples above quota / samples
     * @param reservedCoreUtilization mean used / reserved cores
     * @param usedCoresP99 99th percentile of used cores of one shard in a sample
     * @param threadsPerReservedCore mean threads of a shard / reserved cores
     * @param strandedQuotaCores quota handed out and certainly not used, cores of all shards;
     *     absent when use explains the throttling
     */
    public record Evidence(
            long samples,
            long periods,
            long throttledPeriods,
            OptionalDouble throttledPeriodRatio,
            OptionalDouble throttledUsPerThrottledPeriod,
            OptionalDouble excursionRatio,
            OptionalDouble reservedCoreUtilization,
            OptionalDouble usedCoresP99,
            OptionalDouble threadsPerReservedCore,
            OptionalDouble strandedQuotaCores) {}

    /**
     * Judges a horizon.
     *
     * @param minutes the merged parts of each minute that had rows, by window start; the last one
     *     is the row's minute
     * @param part the part that closed with this row
     */
    public static TuningRank judge(
            SortedMap<Long, ServiceSums> minutes,
            long part,
            CatalogView catalog,
            RankPolicy policy) {
        HorizonSums horizon = HorizonSums.of(minutes.values());
        JudgementScope scope = scope(minutes.get(minutes.lastKey()), horizon, part, catalog);
        long spanUs = minutes.lastKey() - minutes.firstKey() + WindowPart.MINUTE_US;
        Evidence evidence =
                evidence(
                        scope,
                        horizon,
                        StrandedHorizon.cores(
                                horizon, minutes.size(), spanUs / WindowPart.MINUTE_US));
        Optional<ReclaimableCores> reclaimable =
                scope.reservedCores().isEmpty()
                        ? Optional.empty()
                        : ReclaimableCores.of(
                                minutes.values(), scope.reservedCores().getAsDouble(), policy);
        TuningVerdict verdict = verdict(scope, evidence, reclaimable, policy);
        return new TuningRank(
                scope,
                policy.horizonMinutes() * WindowPart.MINUTE_US,
                minutes.size(),
                verdict,
                score(verdict, scope, evidence, reclaimable),
                evidence,
                verdict == TuningVerdict.GIVE_BACK ? reclaimable : Optional.empty(),
                new Reasons(scope, evidence, reclaimable, policy).of(verdict),
                horizon.worstShards().stream().map(WorstShard::shard).toList());
    }

    private static JudgementScope scope(
            ServiceSums last, HorizonSums horizon, long part, CatalogView catalog) {
        return new JudgementScope(
                last.key(),
                last.windowStartUs(),
                part,
                catalog.rowVersion(),
                catalog.catalogVersion(),
                catalog.team(),
                horizon.shards(),
                Reporting.completeness(horizon.records(), horizon.expectedRecords()),
                horizon.bandwidth().quotaCores(),
                ReservedCores.of(catalog.entry(), horizon.bandwidth()).cores());
    }

    private static Evidence evidence(
            JudgementScope scope, HorizonSums horizon, OptionalDouble strandedQuotaCores) {
        return new Evidence(
                horizon.sampling().samples(),
                horizon.throttling().periods(),
                horizon.throttling().throttledPeriods(),
                horizon.throttling().throttledPeriodRatio(),
                horizon.throttling().throttledUsPerThrottledPeriod(),
                ThrottlingSummary.excursionRatio(
                        horizon.bandwidth(),
                        horizon.usage().excursionSamples(),
                        horizon.sampling().samples()),
                scope.perReservedCore(
                        UsedCores.perShard(horizon.usage().usageUs(), horizon.records())),
                horizon.usedCoresP99(),
                scope.perReservedCore(horizon.threads().perShard()),
                strandedQuotaCores);
    }

    private static TuningVerdict verdict(
            JudgementScope scope,
            Evidence evidence,
            Optional<ReclaimableCores> reclaimable,
            RankPolicy policy) {
        if (evidence.samples() < policy.samplesMin()) {
            return TuningVerdict.UNKNOWN;
        }
        if (scope.reservedCores().isEmpty()) {
            return TuningVerdict.HEALTHY;
        }
        if (evidence.throttledPeriodRatio().orElse(0) >= policy.throttledPeriodRatioMin()) {
            return TuningVerdict.THROTTLED;
        }
        double reserved = scope.reservedCores().getAsDouble();
        double worthwhile = policy.giveBackShareMin() * reserved * scope.shards();
        boolean givesBack =
                reclaimable.isPresent()
                        && reclaimable.get().median() >= worthwhile
                        && reclaimable.get().median() > policy.giveBackCoresMin();
        return givesBack ? TuningVerdict.GIVE_BACK : TuningVerdict.HEALTHY;
    }

    private static double score(
            TuningVerdict verdict,
            JudgementScope scope,
            Evidence evidence,
            Optional<ReclaimableCores> reclaimable) {
        return switch (verdict) {
            case THROTTLED -> idleWhileThrottled(scope, evidence);
            case GIVE_BACK -> reclaimable.orElseThrow().median();
            case HEALTHY, UNKNOWN -> 0;
        };
    }

    /**
     * Reserved cores that stood idle in the share of time in which periods were throttled. Work
     * that takes whatever its quota gives leaves none.
     */
    private static double idleWhileThrottled(JudgementScope scope, Evidence evidence) {
        if (evidence.strandedQuotaCores().isPresent()) {
            return 0;
        }
        double idle = Math.max(0, 1 - evidence.reservedCoreUtilization().orElse(0));
        return scope.reservedCores().orElseThrow()
                * scope.shards()
                * evidence.throttledPeriodRatio().orElseThrow()
                * idle;
    }
}
