package io.quotascope.domain.rank;

import java.util.Comparator;
import java.util.OptionalDouble;

/**
 * The one order of all services: what a day of work on the recommended change is worth, as
 *
 * <pre>probability x trust x (max(0, value) + risk removed x reservation) / effort</pre>
 *
 * in dollars a year for each day. A service that collapses wastes what it reserves, so the part of
 * its reservation that a change takes out of that danger is worth something too: it parts services
 * of like savings, and ranks changes that cost cores and buy safety. What such a change costs is
 * stated and not taken off, for it is no reason to look at it later.
 *
 * @param valueUsdPerYear what the cores freed are worth; negative when the change needs more
 * @param reservationUsdPerYear what all reserved cores cost
 * @param riskRemoved death-spiral risk now - after the change, 0..1; absent when not known: 0
 * @param successProbability probability that the change is made and stays, 0..1
 * @param trust how much an estimate counts, 0..1
 * @param effortDays work of people, days, above 0
 */
public record ExpectedWorth(
        double valueUsdPerYear,
        double reservationUsdPerYear,
        OptionalDouble riskRemoved,
        double successProbability,
        double trust,
        double effortDays) {
    /** Nothing to be done, or nothing that is worth it. */
    public static final ExpectedWorth NOTHING =
            new ExpectedWorth(0, 0, OptionalDouble.empty(), 0, 0, 1);

    /** The most worthwhile first. */
    public static final Comparator<ExpectedWorth> MOST_WORTHWHILE_FIRST =
            Comparator.comparingDouble(ExpectedWorth::perDay).reversed();

    /**
     * Parts in their ranges.
     *
     * @throws IllegalArgumentException otherwise
     */
    public ExpectedWorth {
        boolean shares =
                isShare(successProbability) && isShare(trust) && isShare(riskRemoved.orElse(0));
        if (!shares || !(effortDays > 0) || !(reservationUsdPerYear >= 0)) {
            throw new IllegalArgumentException(
                    "probability "
                            + successProbability
                            + ", trust "
                            + trust
                            + ", risk "
                            + riskRemoved
                            + ", effort "
                            + effortDays
                            + ", reservation "
                            + reservationUsdPerYear);
        }
    }

    /** The better of two, the first where they are alike. */
    public ExpectedWorth orBetter(ExpectedWorth other) {
        return other.perDay() > perDay() ? other : this;
    }

    private static boolean isShare(double value) {
        return value >= 0 && value <= 1;
    }

    /** Expected worth of a day of work, US dollars a year; never negative. */
    public double perDay() {
        double safety = riskRemoved.orElse(0) * reservationUsdPerYear;
        return successProbability * trust * (Math.max(0, valueUsdPerYear) + safety) / effortDays;
    }
}
