package io.quotascope.domain.ledger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a recommendation promises. It is frozen when the recommendation is accepted, so that what
 * came of it is compared with what was said, not with what would be said today.
 *
 * @param reservedCores reserved cores of the service, all quota classes, when the estimate was
 *     made; absent when not known, then no core can be credited
 * @param reclaimableCores cores that could be given back; absent when none were predicted
 * @param money their reservation value; absent without a price
 * @param effects predicted effects on measured quantities
 */
public record Forecast(
        OptionalDouble reservedCores,
        Optional<Predicted> reclaimableCores,
        Optional<Money> money,
        List<PredictedEffect> effects) {

    /**
     * A value with its interval.
     *
     * @param value the prediction
     * @param low 5th percentile
     * @param high 95th percentile
     */
    public record Predicted(double value, double low, double high) {
        /**
         * Values in order.
         *
         * @throws IllegalArgumentException unless low is at most value and value at most high
         */
        public Predicted {
            if (!(low <= value && value <= high)) {
                throw new IllegalArgumentException(
                        "a prediction must lie inside its interval: "
                                + low
                                + " <= "
                                + value
                                + " <= "
                                + high);
            }
        }
    }

    /**
     * Reservation value of the reclaimable cores.
     *
     * @param usdPerYear US dollars a year
     * @param priceBookVersion book that was used
     */
    public record Money(Predicted usdPerYear, long priceBookVersion) {}

    /**
     * What one quantity is predicted to do.
     *
     * @param quantity name as {@link io.quotascope.domain.verification.Quantity#label()} gives it
     * @param effect difference of ratios, or factor - 1, as verifications state effects
     */
    public record PredictedEffect(String quantity, Predicted effect) {}

    /**
     * A forecast.
     *
     * @throws IllegalArgumentException when cores are negative, or are not finite
     */
    public Forecast {
        effects = List.copyOf(effects);
        double reserved = reservedCores.orElse(0);
        if (!(reserved >= 0 && reserved < 1e9)) {
            throw new IllegalArgumentException("reserved_cores must not be negative: " + reserved);
        }
        reclaimableCores.ifPresent(
                cores -> {
                    if (!(cores.low() >= 0 && cores.high() < 1e9)) {
                        throw new IllegalArgumentException(
                                "reclaimable_cores must not be negative: " + cores);
                    }
                });
    }
}
