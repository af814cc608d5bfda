package io.quotascope.domain.verification;

import io.quotascope.domain.verification.Effect.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one change really did, as far as the hours up to an instant tell.
 *
 * @param change what happened
 * @param hoursAfter hours after the change that were looked at, with or without rows
 * @param windowStartUs start of the last of them, microseconds since the Unix epoch, UTC
 * @param settled whether no further hours will be looked at
 * @param outcome what can be said
 * @param effects one for each quantity
 * @param realised reserved cores given back, beyond what unaffected services did; absent with too
 *     few matched hours or when nobody reserved any
 * @param reasons the outcome in words, the most important first
 */
public record VerifiedChange(
        ChangeEvent change,
        long hoursAfter,
        long windowStartUs,
        boolean settled,
        Outcome outcome,
        List<Effect> effects,
        Optional<Realised> realised,
        List<String> reasons) {
    /** What can be said. */
    public enum Outcome {
        /** Throttling, use or the reservation fell, and nothing rose. */
        VERIFIED,
        /** Throttling or use rose. */
        REGRESSED,
        /** Nothing moved beyond what services do by themselves. */
        NO_DETECTABLE_CHANGE,
        /** Too few matched hours. */
        TOO_LITTLE_EVIDENCE;

        /** Name in records. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Cores, with their interval.
     *
     * @param cores middle
     * @param low 5th percentile
     * @param high 95th percentile
     */
    public record Realised(double cores, double low, double high) {}

    /** Immutable lists. */
    public VerifiedChange {
        effects = List.copyOf(effects);
        reasons = List.copyOf(reasons);
    }

    /** First hour after a change that is looked at, microseconds since the Unix epoch. */
    public static long firstHourUs(long changeUs, VerificationPolicy policy) {
        long ceiling = -Math.floorDiv(-changeUs, ServiceHour.HOUR_US) * ServiceHour.HOUR_US;
        return ceiling + policy.settlingHours() * ServiceHour.HOUR_US;
    }

    /**
     * Judges a change by the first hours after it.
     *
     * @param hoursAfter how many hours after the settling time to look at
     * @param changed hours of the service, the classes added
     * @param unaffected hours of services that nothing happened to
     */
    public static VerifiedChange judge(
            ChangeEvent change,
            long hoursAfter,
            SortedMap<Long, ServiceHour> changed,
            Collection<SortedMap<Long, ServiceHour>> unaffected,
            VerificationPolicy policy) {
        long endUs = firstHourUs(change.atUs(), policy) + hoursAfter * ServiceHour.HOUR_US;
        SortedMap<Long, ServiceHour> looked = new TreeMap<>(changed.headMap(endUs));
        List<Effect> effects = Verification.judge(change, looked, unaffected, policy);
        Outcome outcome = outcome(effects);
        Optional<Realised> realised = realised(change, changed, effects, policy);
        return new VerifiedChange(
                change,
                hoursAfter,
                endUs - ServiceHour.HOUR_US,
                hoursAfter >= policy.hoursAfterMax(),
                outcome,
                effects,
                realised,
                reasons(
                        effects,
                        realised,
                        unaffected.size(),
                        MatchedHours.around(change.atUs(), looked, policy)));
    }

    private static Verdict verdict(List<Effect> effects, Quantity quantity) {
        return effects.get(quantity.ordinal()).verdict();
    }

    private static Outcome outcome(List<Effect> effects) {
        List<Verdict> load =
                List.of(
                        verdict(effects, Quantity.THROTTLED_PERIOD_RATIO),
                        verdict(effects, Quantity.USED_CORES));
        Verdict reserved = verdict(effects, Quantity.RESERVED_CORES);
        if (load.contains(Verdict.RISEN)) {
            return Outcome.REGRESSED;
        }
        if (load.contains(Verdict.FALLEN) || reserved == Verdict.FALLEN) {
            return Outcome.VERIFIED;
        }
        boolean known = load.contains(Verdict.NO_DETECTABLE_CHANGE);
        return known ? Outcome.NO_DETECTABLE_CHANGE : Outcome.TOO_LITTLE_EVIDENCE;
    }

    private static Optional<Realised> realised(
            ChangeEvent change,
            SortedMap<Long, ServiceHour> changed,
            List<Effect> effects,
            VerificationPolicy policy) {
        Effect reserved = effects.get(Quantity.RESERVED_CORES.ordinal());
        OptionalDouble before =
                changed
                        .headMap(change.atUs() - ServiceHour.HOUR_US + 1)
                        .tailMap(change.atUs() - policy.hoursBackMax() * ServiceHour.HOUR_US)
                        .values()
                        .stream()
                        .map(ServiceHour::reservedCores)
                        .filter(OptionalDouble::isPresent)
                        .mapToDouble(OptionalDouble::getAsDouble)
                        .average();
        if (reserved.verdict() == Verdict.TOO_LITTLE_EVIDENCE || before.isEmpty()) {
            return Optional.empty();
        }
        double cores = before.getAsDouble();
        return Optional.of(
                new Realised(
                        -reserved.effect() * cores,
                        -reserved.high() * cores,
                        -reserved.low() * cores));
    }

    private static List<String> reasons(
            List<Effect> effects,
            Optional<Realised> realised,
            int unaffected,
            List<MatchedHours.Pair> pairs) {
        List<String> reasons = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect.verdict() == Verdict.RISEN || effect.verdict() == Verdict.FALLEN) {
                reasons.add(stated(effect));
            }
        }
        boolean matched = effects.stream().anyMatch(effect -> !tooLittle(effect));
        if (reasons.isEmpty()) {
            reasons.add(
                    matched
                            ? "no detectable change: what moved, moved for unaffected services too"
                            : "too few matched hours before and after the change");
        }
        realised.filter(cores -> Math.abs(cores.cores()) >= 0.05)
                .ifPresent(
                        cores ->
                                reasons.add(
                                        text(
                                                "%.1f reserved cores given back (%.1f to %.1f)",
                                                cores.cores(), cores.low(), cores.high())));
        long otherDays = pairs.stream().filter(pair -> !pair.ofTheSameWeekday()).count();
        if (matched && otherDays > 0) {
            reasons.add(
                    text(
                            "%d of %d matched hours are of another day of the week than before:"
                                    + " a weekend may look like an effect",
                            otherDays, pairs.size()));
        }
        if (unaffected == 0) {
            reasons.add("no unaffected service to compare with: shared drift counts as effect");
        }
        return reasons;
    }

    private static boolean tooLittle(Effect effect) {
        return effect.verdict() == Verdict.TOO_LITTLE_EVIDENCE;
    }

    private static String stated(Effect effect) {
        boolean ratio = effect.quantity() == Quantity.THROTTLED_PERIOD_RATIO;
        String unit = ratio ? "points" : "%";
        return text(
                "%s %s by %.1f %s (%.1f to %.1f) over %d matched hours",
                effect.quantity().label(),
                effect.verdict().name().toLowerCase(Locale.ROOT),
                100 * effect.effect(),
                unit,
                100 * effect.low(),
                100 * effect.high(),
                effect.pairs());
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }
}
