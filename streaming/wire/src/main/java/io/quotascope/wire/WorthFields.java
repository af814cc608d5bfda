package io.quotascope.wire;

import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.rank.TuningOffer.Risk;
import io.quotascope.domain.rank.TuningOffer.Savings;
import io.quotascope.domain.rank.TuningPriority;
import io.quotascope.domain.rank.TuningWorth;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.avro.specific.SpecificRecord;

/** The fields about the worth of tuning, which rows of two tables have in common. */
final class WorthFields {
    private WorthFields() {}

    static void set(SpecificRecord row, TuningWorth worth) {
        Optional<TuningPriority> priority = worth.priority();
        Optional<Savings> change = worth.savings().filter(known -> priority.isPresent());
        put(row, "setting_text", change.flatMap(Savings::settingText).orElse(null));
        put(row, "fix_set", change.map(Savings::fixSet).orElse(null));
        setInterval(row, "tunable_cores", change.flatMap(Savings::cores));
        setInterval(row, "savings_usd_per_year", change.flatMap(Savings::usdPerYear));
        put(
                row,
                "success_probability",
                priority.map(TuningPriority::successProbability).orElse(null));
        put(row, "effort_days", priority.map(TuningPriority::effortDays).orElse(null));
        put(
                row,
                "savings_usd_per_year_per_effort_day",
                Nullable.orNull(worth.usdPerYearPerEffortDay()));
        put(
                row,
                "risk_removed",
                Nullable.orNull(
                        priority.map(TuningPriority::riskRemoved).orElse(OptionalDouble.empty())));
        put(
                row,
                "death_spiral_risk",
                Nullable.orNull(
                        worth.risk().map(Risk::deathSpiralRisk).orElse(OptionalDouble.empty())));
        put(row, "savings_analysed_at_us", worth.savings().map(Savings::analysedAtUs).orElse(null));
        put(row, "risk_analysed_at_us", worth.risk().map(Risk::analysedAtUs).orElse(null));
        put(row, "worth_usd_per_year_per_effort_day", worth.order().perDay());
        put(row, "value_reasons", worth.reasons());
    }

    static void setInterval(SpecificRecord row, String field, Optional<Interval> interval) {
        put(row, field, interval.map(Interval::value).orElse(null));
        put(row, field + "_low", interval.map(Interval::low).orElse(null));
        put(row, field + "_high", interval.map(Interval::high).orElse(null));
    }

    private static void put(SpecificRecord row, String field, Object value) {
        row.put(row.getSchema().getField(field).pos(), value);
    }
}
