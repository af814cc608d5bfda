package io.quotascope.domain.rank;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.window.Bandwidth;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says in words what a verdict rests on, with the numbers, the most important first. */
final class Reasons {
    private final JudgementScope scope;
    private final TuningRank.Evidence evidence;
    private final Optional<ReclaimableCores> reclaimable;
    private final RankPolicy policy;

    Reasons(
            JudgementScope scope,
            TuningRank.Evidence evidence,
            Optional<ReclaimableCores> reclaimable,
            RankPolicy policy) {
        this.scope = scope;
        this.evidence = evidence;
        this.reclaimable = reclaimable;
        this.policy = policy;
    }

    List<String> of(TuningVerdict verdict) {
        List<String> reasons = new ArrayList<>();
        switch (verdict) {
            case THROTTLED -> throttled(reasons);
            case GIVE_BACK -> giveBack(reasons);
            case HEALTHY -> healthy(reasons);
            case UNKNOWN ->
                    reasons.add(
                            evidence.samples()
                                    + " samples in the horizon, at least "
                                    + policy.samplesMin()
                                    + " are needed");
        }
        scope.completeness().stream()
                .filter(share -> share < policy.completenessMin())
                .forEach(
                        share ->
                                reasons.add(
                                        "only "
                                                + percent(share)
                                                + " of the records that the hosts sent have arrived"));
        return List.copyOf(reasons);
    }

    private void throttled(List<String> reasons) {
        evidence.strandedQuotaCores()
                .ifPresent(
                        cores ->
                                reasons.add(
                                        "the kernel is at fault: "
                                                + rounded(cores, 2)
                                                + " cores of quota were handed out and not used, so tuning is no cure"));
        reasons.add(
                percent(evidence.throttledPeriodRatio().orElseThrow())
                        + " of periods throttled ("
                        + evidence.throttledPeriods()
                        + " of "
                        + evidence.periods()
                        + ")");
        evidence.throttledUsPerThrottledPeriod()
                .ifPresent(
                        depthUs ->
                                reasons.add(
                                        rounded(depthUs / 1000, 1)
                                                + " ms throttled each, over all run queues"));
        evidence.threadsPerReservedCore().ifPresent(threads -> reasons.add(threads(threads)));
        evidence.excursionRatio()
                .ifPresent(ratio -> reasons.add(percent(ratio) + " of 10 ms samples above quota"));
        evidence.reservedCoreUtilization()
                .ifPresent(share -> reasons.add(percent(share) + " of the reserved cores used"));
    }

    private String threads(double perReservedCore) {
        String stated = rounded(perReservedCore, 1) + " threads per reserved core";
        return perReservedCore > policy.threadsPerReservedCoreMax()
                ? stated + ": the pool outnumbers its cores"
                : stated;
    }

    private void giveBack(List<String> reasons) {
        ReclaimableCores cores = reclaimable.orElseThrow();
        double reserved = scope.reservedCores().orElseThrow();
        reasons.add(
                rounded(cores.median(), 2)
                        + " of "
                        + rounded(reserved * scope.shards(), 2)
                        + " reserved cores can go ("
                        + rounded(cores.low(), 2)
                        + " to "
                        + rounded(cores.high(), 2)
                        + " over the minutes): 10 ms peaks then use "
                        + percent(policy.utilizationMax())
                        + " of the rest");
        evidence.usedCoresP99().ifPresent(peak -> reasons.add(peak(peak, reserved)));
        notThrottled(reasons);
    }

    private void healthy(List<String> reasons) {
        if (scope.reservedCores().isEmpty()) {
            reasons.add(
                    scope.key().quotaClass().equals(Bandwidth.NO_CONTROLLER)
                            ? "no cpu controller: the kernel enforces nothing here; its neighbours can be hurt"
                            : "no quota: it cannot be throttled; its neighbours can be hurt");
            reasons.add("no catalog entry reserves cores for it, so nothing can be given back");
            return;
        }
        notThrottled(reasons);
        double reserved = scope.reservedCores().orElseThrow();
        evidence.usedCoresP99()
                .ifPresent(
                        peak ->
                                reasons.add(
                                        peak(peak, reserved)
                                                + ": too little to give back by the "
                                                + policy.horizonMinutes()
                                                + " minutes judged"));
    }

    private void notThrottled(List<String> reasons) {
        if (evidence.throttledPeriodRatio().isEmpty()) {
            reasons.add("no enforcement period elapsed in the horizon");
        } else {
            reasons.add(
                    percent(evidence.throttledPeriodRatio().getAsDouble())
                            + " of periods throttled, below "
                            + percent(policy.throttledPeriodRatioMin()));
        }
    }

    private static String peak(double usedCores, double reservedCores) {
        return "10 ms peaks (p99) of "
                + rounded(usedCores, 2)
                + " cores a shard, "
                + rounded(reservedCores, 2)
                + " reserved";
    }

    private static String percent(double ratio) {
        return rounded(100 * ratio, 1) + " %";
    }

    /**
     * Rounds the exact value of the double, half to even, so that any language prints the same
     * digits.
     */
    private static String rounded(double value, int decimals) {
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }
}
