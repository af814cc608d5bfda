package io.quotascope.domain.rank;

/**
 * Every threshold of the ranking.
 *
 * @param horizonMinutes minutes judged together, ending with the row's minute
 * @param samplesMin fewer samples in the horizon are no evidence
 * @param throttledPeriodRatioMin from this share of throttled periods on a service counts as
 *     throttled
 * @param threadsPerReservedCoreMax above this the thread pool is named as a cause
 * @param utilizationMax highest share of a reservation that 10 ms peaks should use
 * @param giveBackShareMin least share of the reservation worth giving back
 * @param giveBackCoresMin least cores worth giving back
 * @param completenessMin below this the row says that records are missing
 * @param standInUsdPerCoreYear at what a reserved core without a known price counts in the order of
 *     services, US dollars a year; it orders and is shown nowhere as money
 */
public record RankPolicy(
        int horizonMinutes,
        long samplesMin,
        double throttledPeriodRatioMin,
        double threadsPerReservedCoreMax,
        double utilizationMax,
        double giveBackShareMin,
        double giveBackCoresMin,
        double completenessMin,
        double standInUsdPerCoreYear) {
    /** What applies unless an operator says otherwise. */
    public static final RankPolicy DEFAULT =
            new RankPolicy(10, 3_000, 0.01, 2.0, 0.8, 0.1, 0.05, 0.99, 250);

    /**
     * Thresholds that make sense together.
     *
     * @throws IllegalArgumentException when one is outside its range
     */
    public RankPolicy {
        require(horizonMinutes >= 1, "horizonMinutes must be at least 1");
        require(samplesMin >= 1, "samplesMin must be at least 1");
        require(
                throttledPeriodRatioMin > 0 && throttledPeriodRatioMin <= 1,
                "throttledPeriodRatioMin is a share");
        require(threadsPerReservedCoreMax > 0, "threadsPerReservedCoreMax must be positive");
        require(utilizationMax > 0 && utilizationMax <= 1, "utilizationMax is a share");
        require(giveBackShareMin > 0 && giveBackShareMin <= 1, "giveBackShareMin is a share");
        require(giveBackCoresMin >= 0, "giveBackCoresMin must not be negative");
        require(completenessMin >= 0 && completenessMin <= 1, "completenessMin is a share");
        require(
                standInUsdPerCoreYear > 0 && standInUsdPerCoreYear < Double.POSITIVE_INFINITY,
                "standInUsdPerCoreYear must be positive");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
