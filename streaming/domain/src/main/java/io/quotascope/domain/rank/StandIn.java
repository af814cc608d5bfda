package io.quotascope.domain.rank;

import io.quotascope.domain.savings.FixKind;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What stands in for an estimate until the first one: the cores at stake, as if the usual change
 * for the verdict freed them all. It says so, and the first estimate takes its place.
 *
 * @param change the usual change, in words
 * @param effortDays its work, days
 * @param successProbability probability that it is made and stays, 0..1
 */
record StandIn(String change, double effortDays, double successProbability) {
    private static final StandIn POOLS =
            new StandIn(
                    "smaller thread pools",
                    FixKind.POOLS.effortDays(),
                    FixKind.POOLS.successProbability());
    static final StandIn RIGHT_SIZING = new StandIn("a smaller reservation", 0.5, 0.9);
    private static final StandIn NONE = new StandIn("no change", 1, 0);

    /** Nobody has looked closer, so it counts as an estimate that is doubted. */
    private static final double TRUST = 0.5;

    static StandIn of(TuningStake stake) {
        return switch (stake.verdict()) {
            case THROTTLED -> POOLS;
            case GIVE_BACK -> RIGHT_SIZING;
            case HEALTHY, UNKNOWN -> NONE;
        };
    }

    ExpectedWorth worth(TuningStake stake, double usdPerCoreYear) {
        return new ExpectedWorth(
                stake.cores() * usdPerCoreYear,
                stake.reservedCores() * usdPerCoreYear,
                OptionalDouble.empty(),
                successProbability,
                TRUST,
                effortDays);
    }

    List<String> reasons(TuningStake stake) {
        String unknown = "no savings estimate yet: what tuning is worth is not known";
        if (stake.verdict() != TuningVerdict.THROTTLED
                && stake.verdict() != TuningVerdict.GIVE_BACK) {
            return List.of(unknown);
        }
        return List.of(
                unknown,
                String.format(
                        Locale.ROOT,
                        "ranked by a stand-in: %.2f cores %s, as if %s freed them in %.1f days",
                        stake.cores(),
                        stake.verdict() == TuningVerdict.THROTTLED
                                ? "idle while it is throttled"
                                : "more than its peaks need",
                        change,
                        effortDays));
    }
}
