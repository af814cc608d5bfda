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
import java.util.ArrayList;
import java.util.List;
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
 * @param reasons in words, the most important first
 */
public record TuningWorth(
        Optional<Savings> savings,
        Optional<Risk> risk,
        Optional<TuningPriority> priority,
        List<String> reasons) {
    /** An immutable list. */
    public TuningWorth {
        reasons = List.copyOf(reasons);
    }

    /** Weighs what is on offer. */
    public static TuningWorth of(Optional<Savings> savings, Optional<Risk> risk) {
        if (savings.isEmpty()) {
            return without(
                    savings, risk, "no savings estimate yet: what tuning is worth is not known");
        }
        Savings offer = savings.get();
        if (offer.effortDays() <= 0) {
            return without(savings, risk, "no change is known that frees cores");
        }
        if (offer.cores().isEmpty()) {
            return without(savings, risk, "the cores that a change frees are not known");
        }
        TuningPriority priority =
                TuningPriority.of(
                        offer.fixSet(),
                        ends(offer.cores().get()),
                        offer.usdPerYear().map(TuningWorth::ends),
                        offer.successProbability(),
                        offer.effortDays(),
                        riskRemoved(offer, risk));
        List<String> reasons = new ArrayList<>(priority.reasons());
        reasons.addAll(offer.doubts());
        return new TuningWorth(savings, risk, Optional.of(priority), reasons);
    }

    private static TuningWorth without(
            Optional<Savings> savings, Optional<Risk> risk, String reason) {
        List<String> reasons = new ArrayList<>(List.of(reason));
        savings.ifPresent(offer -> reasons.addAll(offer.doubts()));
        return new TuningWorth(savings, risk, Optional.empty(), reasons);
    }

    /** Expected value of a day of work, US dollars a year; absent without a price. */
    public OptionalDouble usdPerYearPerEffortDay() {
        boolean priced = savings.flatMap(Savings::usdPerYear).isPresent();
        return priced && priority.isPresent()
                ? OptionalDouble.of(priority.get().usdPerDay())
                : OptionalDouble.empty();
    }

    /**
     * Risk now less the risk at a cliff that the change has pushed out by its gain, as long as the
     * freed cores are still there. Absent where either is not known.
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
