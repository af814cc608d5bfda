package io.quotascope.domain.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How much the recommended change of a service is worth, with the parts that make the figure;
 * {@link ExpectedWorth} orders services by them.
 *
 * @param valueUsdPerYear what the cores freed are worth, the middle estimate; 0 without a price;
 *     negative when the change needs more cores
 * @param valueUsdPerYearLow 5th percentile
 * @param valueUsdPerYearHigh 95th percentile
 * @param successProbability probability that the change is made and stays, 0..1
 * @param effortDays work of people, days
 * @param riskRemoved death-spiral risk now - after the change, 0..1; absent when not known
 * @param reasons why, in words, the most important first
 */
public record TuningPriority(
        double valueUsdPerYear,
        double valueUsdPerYearLow,
        double valueUsdPerYearHigh,
        double successProbability,
        double effortDays,
        OptionalDouble riskRemoved,
        List<String> reasons) {

    /**
     * Parts in their ranges.
     *
     * @throws IllegalArgumentException otherwise
     */
    public TuningPriority {
        reasons = List.copyOf(reasons);
        if (!(valueUsdPerYearLow <= valueUsdPerYear && valueUsdPerYear <= valueUsdPerYearHigh)) {
            throw new IllegalArgumentException("the value must lie in its interval");
        }
        if (!(successProbability >= 0 && successProbability <= 1 && effortDays > 0)) {
            throw new IllegalArgumentException(
                    "probability " + successProbability + ", effort " + effortDays);
        }
    }

    /** Expected value of a day of work, US dollars a year. */
    public double usdPerDay() {
        return valueUsdPerYear * successProbability / effortDays;
    }

    /**
     * The priority of a change, with its reasons.
     *
     * @param change what to do, in words
     * @param cores cores freed with their interval, low, middle, high
     * @param usd their value with its interval; absent without a price
     */
    public static TuningPriority of(
            String change,
            double[] cores,
            Optional<double[]> usd,
            double successProbability,
            double effortDays,
            OptionalDouble riskRemoved) {
        List<String> reasons = new ArrayList<>();
        reasons.add(
                cores[1] < 0
                        ? text("%s needs %.1f more cores", change, -cores[1])
                                + ends("%.1f to %.1f", -cores[2], -cores[0])
                        : text("%s frees %.1f cores", change, cores[1])
                                + ends("%.1f to %.1f", cores[0], cores[2]));
        usd.ifPresentOrElse(
                value ->
                        reasons.add(
                                value[1] < 0
                                        ? text("costs %,.0f dollars a year", -value[1])
                                                + ends("%,.0f to %,.0f", -value[2], -value[0])
                                        : text("worth %,.0f dollars a year", value[1])
                                                + ends("%,.0f to %,.0f", value[0], value[2])),
                () -> reasons.add("no price for its class, so its value is not known"));
        reasons.add(
                text(
                        "about %.1f days of work, made and kept in %.0f of 100 cases",
                        effortDays, 100 * successProbability));
        riskRemoved.ifPresent(
                risk ->
                        reasons.add(
                                text("takes %.0f points off the death-spiral risk", 100 * risk)));
        double[] value = usd.orElse(new double[3]);
        return new TuningPriority(
                value[1], value[0], value[2], successProbability, effortDays, riskRemoved, reasons);
    }

    /**
     * Where nothing is left of an interval the figure is a bound, and no estimate has such ends.
     */
    private static String ends(String format, double low, double high) {
        return low == high ? ", a bound without an interval" : " (" + text(format, low, high) + ")";
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }
}
