package io.quotascope.domain.verification;

import io.quotascope.domain.risk.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * Difference in differences over matched hours.
 *
 * <p>Each hour after the change is compared with its counterpart before it; what unaffected
 * services did over the same pair of hours is taken off. The mean of these differences is the
 * effect. Its interval is the wider of two: a block bootstrap over days, because hours of one day
 * are alike, and the spread of placebos, the same estimate made for each unaffected service as if
 * it had been changed, because services differ in how they drift.
 */
public final class Verification {
    private static final double LOW = 0.05;
    private static final double HIGH = 0.95;

    private Verification() {}

    /**
     * Judges every quantity.
     *
     * @param change what happened and when
     * @param changed hours of the changed service
     * @param unaffected hours of services that nothing happened to, any number
     */
    public static List<Effect> judge(
            ChangeEvent change,
            SortedMap<Long, ServiceHour> changed,
            Collection<SortedMap<Long, ServiceHour>> unaffected,
            VerificationPolicy policy) {
        List<MatchedHours.Pair> pairs = MatchedHours.around(change.atUs(), changed, policy);
        List<Effect> effects = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            // The same change gives the same resamples, whenever it is judged.
            SplittableRandom random =
                    new SplittableRandom(change.atUs() * 31 + change.service().hashCode());
            effects.add(effect(quantity, pairs, changed, List.copyOf(unaffected), policy, random));
        }
        return effects;
    }

    private static Effect effect(
            Quantity quantity,
            List<MatchedHours.Pair> pairs,
            SortedMap<Long, ServiceHour> changed,
            List<SortedMap<Long, ServiceHour>> unaffected,
            VerificationPolicy policy,
            SplittableRandom random) {
        DailySums days = differences(quantity, pairs, changed, unaffected);
        if (days.count() < policy.pairsMin()) {
            return Effect.tooLittle(quantity, days.count(), unaffected.size());
        }
        double mean = days.mean();
        double[] resampled = days.resampledMeans(policy.resamples(), random);
        double placebo = placeboReach(quantity, pairs, unaffected);
        double low = Math.min(percentile(resampled, LOW), mean - placebo);
        double high = Math.max(percentile(resampled, HIGH), mean + placebo);
        return new Effect(
                quantity,
                verdict(quantity, mean, low, high, policy),
                quantity.stated(mean),
                quantity.stated(low),
                quantity.stated(high),
                days.count(),
                unaffected.size());
    }

    private static Effect.Verdict verdict(
            Quantity quantity, double mean, double low, double high, VerificationPolicy policy) {
        boolean matters = Math.abs(quantity.stated(mean)) >= policy.smallestWorthwhile(quantity);
        if (matters && low > 0) {
            return Effect.Verdict.RISEN;
        }
        return matters && high < 0 ? Effect.Verdict.FALLEN : Effect.Verdict.NO_DETECTABLE_CHANGE;
    }

    private static DailySums differences(
            Quantity quantity,
            List<MatchedHours.Pair> pairs,
            SortedMap<Long, ServiceHour> changed,
            List<SortedMap<Long, ServiceHour>> unaffected) {
        DailySums days = new DailySums();
        for (MatchedHours.Pair pair : pairs) {
            OptionalDouble own = MatchedHours.growth(pair, changed, quantity);
            if (own.isPresent()) {
                days.add(pair.afterUs(), own.getAsDouble() - drift(quantity, pair, unaffected));
            }
        }
        return days;
    }

    /** Median growth of unaffected services over a pair of hours; 0 when none has both hours. */
    private static double drift(
            Quantity quantity,
            MatchedHours.Pair pair,
            List<SortedMap<Long, ServiceHour>> unaffected) {
        double[] growths =
                unaffected.stream()
                        .map(hours -> MatchedHours.growth(pair, hours, quantity))
                        .filter(OptionalDouble::isPresent)
                        .mapToDouble(OptionalDouble::getAsDouble)
                        .sorted()
                        .toArray();
        if (growths.length == 0) {
            return 0;
        }
        int middle = growths.length / 2;
        return growths.length % 2 == 1
                ? growths[middle]
                : (growths[middle - 1] + growths[middle]) / 2;
    }

    /**
     * How far 90 % of such estimates lie from the truth at most. Few placebos tell that badly, so
     * it is Student's distribution with their degrees of freedom and not the normal one; 0 without
     * any.
     */
    private static double placeboReach(
            Quantity quantity,
            List<MatchedHours.Pair> pairs,
            List<SortedMap<Long, ServiceHour>> unaffected) {
        double sum = 0;
        int placebos = 0;
        for (int index = 0; index < unaffected.size(); index++) {
            List<SortedMap<Long, ServiceHour>> others = new ArrayList<>(unaffected);
            DailySums days = differences(quantity, pairs, others.remove(index), others);
            if (days.count() > 0) {
                sum += days.mean() * days.mean();
                placebos++;
            }
        }
        if (placebos == 0) {
            return 0;
        }
        double freedom = Math.max(1, placebos - 1); // each was compared with the others
        return StudentT.quantile95(freedom) * Math.sqrt(sum / placebos);
    }

    private static double percentile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * (sorted.length - 1)))];
    }
}
