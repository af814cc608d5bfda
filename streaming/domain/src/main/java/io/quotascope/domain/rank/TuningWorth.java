package io.quotascope.domain.rank;

import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.rank.TuningOffer.Risk;
import io.quotascope.domain.rank.TuningOffer.Savings;
import io.quotascope.domain.risk.Cliff;
import io.quotascope.domain.risk.DeathSpiralRisk;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.whatif.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the ranking knows of the worth of tuning: the offers it rests on, the priority that follows,
 * or what is missing to know it.
 *
 * @param savings the change on offer; absent before the first estimate
 * @param risk how near collapse is; absent before the first judgement
 * @param priority worth, work and risk of the change; absent when none is worth making or its cores
 *     are not known
 * @param order where the service stands among all
 * @param reasons in words, the most important first
 */
public record TuningWorth(
        Optional<Savings> savings,
        Optional<Risk> risk,
        Optional<TuningPriority> priority,
        ExpectedWorth order,
        List<String> reasons) {
    private static final String KERNEL =
            "the kernel loses quota of this service: mend the kernel; it is not put forward for tuning";

    /** An immutable list. */
    public TuningWorth {
        reasons = List.copyOf(reasons);
    }

    /**
     * Weighs what is on offer.
     *
     * @param stake what the judged row says, for as long as nobody has estimated a change
     * @param standInUsdPerCoreYear at what cores without a known price count in the order
     */
    public static TuningWorth of(
            TuningStake stake,
            Optional<Savings> savings,
            Optional<Risk> risk,
            double standInUsdPerCoreYear) {
        if (stake.kernelAtFault()) {
            return without(savings, risk, KERNEL);
        }
        if (savings.isEmpty()) {
            StandIn standIn = StandIn.of(stake);
            return new TuningWorth(
                    savings,
                    risk,
                    Optional.empty(),
                    standIn.worth(stake, standInUsdPerCoreYear),
                    standIn.reasons(stake));
        }
        Savings offer = savings.get();
        if (offer.effortDays() <= 0) {
            return without(savings, risk, "no change is known that is worth making");
        }
        if (offer.cores().isEmpty()) {
            return without(savings, risk, "the cores that a change frees are not known");
        }
        OptionalDouble removed = riskRemoved(offer, risk);
        TuningPriority priority =
                TuningPriority.of(
                        offer.fixSet(),
                        ends(offer.cores().get()),
                        offer.usdPerYear().map(TuningWorth::ends),
                        offer.successProbability(),
                        offer.effortDays(),
                        removed);
        List<String> reasons = new ArrayList<>(priority.reasons());
        if (offer.trust() != Trust.Verdict.SOUND) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "the estimate is %s: it counts %.0f of 100 in the order",
                            offer.trust().name().toLowerCase(Locale.ROOT),
                            100 * weight(offer.trust())));
        }
        reasons.addAll(offer.doubts());
        ExpectedWorth order = expected(offer, stake, removed, standInUsdPerCoreYear);
        if (order.effortDays() < offer.effortDays()) {
            reasons.add(
                    0,
                    String.format(
                            Locale.ROOT,
                            "%.1f cores are free at once, without any fix: that alone gives it its place",
                            offer.rightSizingCores().orElse(0)));
        }
        return new TuningWorth(savings, risk, Optional.of(priority), order, reasons);
    }

    private static ExpectedWorth expected(
            Savings offer,
            TuningStake stake,
            OptionalDouble removed,
            double standInUsdPerCoreYear) {
        double cores = offer.cores().orElseThrow().value();
        boolean priced = offer.usdPerYear().isPresent() && cores != 0;
        double price = priced ? offer.usdPerYear().get().value() / cores : standInUsdPerCoreYear;
        ExpectedWorth whole =
                new ExpectedWorth(
                        cores * price,
                        stake.reservedCores() * price,
                        removed,
                        offer.successProbability(),
                        weight(offer.trust()),
                        offer.effortDays());
        // A smaller reservation does not wait for the fixes that are recommended beside it.
        ExpectedWorth first =
                new ExpectedWorth(
                        offer.rightSizingCores().orElse(0) * price,
                        stake.reservedCores() * price,
                        OptionalDouble.empty(),
                        StandIn.RIGHT_SIZING.successProbability(),
                        weight(offer.trust()),
                        StandIn.RIGHT_SIZING.effortDays());
        return whole.orBetter(first);
    }

    /**
     * How much an estimate counts: half when it is doubtful, nothing when nobody should act on it.
     */
    private static double weight(Trust.Verdict trust) {
        return switch (trust) {
            case SOUND -> 1;
            case DOUBTFUL -> 0.5;
            case UNUSABLE -> 0;
        };
    }

    private static TuningWorth without(
            Optional<Savings> savings, Optional<Risk> risk, String reason) {
        List<String> reasons = new ArrayList<>(List.of(reason));
        savings.ifPresent(offer -> reasons.addAll(offer.doubts()));
        return new TuningWorth(savings, risk, Optional.empty(), ExpectedWorth.NOTHING, reasons);
    }

    /** Expected value of a day of work, US dollars a year; absent without a price. */
    public OptionalDouble usdPerYearPerEffortDay() {
        boolean priced = savings.flatMap(Savings::usdPerYear).isPresent();
        return priced && priority.isPresent()
                ? OptionalDouble.of(priority.get().usdPerDay())
                : OptionalDouble.empty();
    }

    /**
     * Risk now less the risk at a cliff that the change has pushed out by its gain; a change that
     * draws it nearer removes none. Absent where either is not known.
     */
    private static OptionalDouble riskRemoved(Savings offer, Optional<Risk> risk) {
        if (risk.isEmpty()
                || offer.gain().isEmpty()
                || risk.get().collapseMultiple().isEmpty()
                || risk.get().loadGrowth().isEmpty()) {
            return OptionalDouble.empty();
        }
        double gain = Math.max(1, offer.gain().getAsDouble());
        return OptionalDouble.of(Math.max(0, risk(risk.get(), 1) - risk(risk.get(), gain)));
    }

    private static double risk(Risk judged, double gain) {
        Interval at = judged.collapseMultiple().orElseThrow();
        Multiple pushed = new Multiple(at.value() * gain, at.low() * gain, at.high() * gain, false);
        LoadForecast forecast =
                new LoadForecast(
                        judged.loadGrowth().orElseThrow(),
                        judged.loadGrowthDeviation().orElse(0),
                        judged.horizonUs());
        Cliff cliff = new Cliff(pushed, pushed, RiskBand.STABLE, false, List.of());
        return DeathSpiralRisk.of(cliff, forecast, RiskPolicy.DEFAULT).probability().orElse(0);
    }

    private static double[] ends(Interval interval) {
        return new double[] {interval.low(), interval.value(), interval.high()};
    }
}
