package io.quotascope.domain.savings;

/**
 * Reclaimable cores in money. Reservation value is what the cores are priced at; cashable value is
 * what stops being paid: whole hosts only, and nothing before a commitment ends.
 *
 * @param usdPerYear reservation value
 * @param usdPerYearLow 5th percentile
 * @param usdPerYearHigh 95th percentile
 * @param cashableUsdPerYear value of the whole hosts that the freed cores empty
 * @param priceBookVersion book that was used
 */
public record SavingsValue(
        double usdPerYear,
        double usdPerYearLow,
        double usdPerYearHigh,
        double cashableUsdPerYear,
        long priceBookVersion) {

    /**
     * Values freed cores.
     *
     * @param cores freed cores; where they are negative nothing is emptied
     * @param coresLow 5th percentile
     * @param coresHigh 95th percentile
     * @param price its row of the book
     * @param instantUs when, microseconds since the Unix epoch
     * @param hostCores cores of one host
     * @param packingRatio reserved cores / cores of hosts in this class today, 0..1: so much of a
     *     freed core can be emptied by moving the rest
     */
    public static SavingsValue of(
            double cores,
            double coresLow,
            double coresHigh,
            PriceBook.Price price,
            long priceBookVersion,
            long instantUs,
            double hostCores,
            double packingRatio) {
        double usd = price.usdPerReservedCoreYear();
        boolean committed = price.commitmentEndUs().map(end -> end > instantUs).orElse(false);
        double hosts = Math.floor(Math.max(0, cores) / (hostCores * packingRatio));
        return new SavingsValue(
                cores * usd,
                coresLow * usd,
                coresHigh * usd,
                committed ? 0 : hosts * hostCores * usd,
                priceBookVersion);
    }
}
