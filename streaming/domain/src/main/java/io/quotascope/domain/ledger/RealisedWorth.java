package io.quotascope.domain.ledger;

import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.VerifiedChange.Realised;
import java.util.Locale;
import java.util.Optional;

/**
 * What the reserved cores that a change gave back are worth a year, US dollars; negative where it
 * took some.
 *
 * @param usdPerYear middle
 * @param low 5th percentile
 * @param high 95th percentile
 * @param priceBookVersion book that the price is from
 * @param by which of its prices
 */
public record RealisedWorth(
        double usdPerYear, double low, double high, long priceBookVersion, PricedBy by) {
    /** Which price a realised core has. */
    public enum PricedBy {
        /** The one that was frozen when the recommendation was accepted. */
        ACCEPTANCE,
        /** The one in force when the service was changed. */
        CHANGE;

        /** Name in records. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * By what was promised, so that a promise and what came of it differ in cores and not in
     * prices; absent where nothing was accepted, or no price was known then.
     */
    public static Optional<RealisedWorth> asPromised(Realised realised, Recommendation entry) {
        Forecast forecast = entry.forecast();
        double promised = forecast.reclaimableCores().map(Forecast.Predicted::value).orElse(0.0);
        if (!entry.state().isPromise() || !(promised > 0)) {
            return Optional.empty();
        }
        return forecast.money()
                .map(
                        money ->
                                of(
                                        realised,
                                        money.usdPerYear().value() / promised,
                                        money.priceBookVersion(),
                                        PricedBy.ACCEPTANCE));
    }

    /**
     * By the price that was in force at the change; absent where the book has none.
     *
     * @param priceClass of the service's hosts; absent = the default
     * @param changedAtUs microseconds since the Unix epoch
     */
    public static Optional<RealisedWorth> atChange(
            Realised realised, PriceBook book, Optional<String> priceClass, long changedAtUs) {
        return book.of(priceClass, changedAtUs)
                .map(
                        price ->
                                of(
                                        realised,
                                        price.usdPerReservedCoreYear(),
                                        book.version(),
                                        PricedBy.CHANGE));
    }

    private static RealisedWorth of(
            Realised realised, double usdPerCore, long priceBookVersion, PricedBy by) {
        return new RealisedWorth(
                realised.cores() * usdPerCore,
                realised.low() * usdPerCore,
                realised.high() * usdPerCore,
                priceBookVersion,
                by);
    }
}
