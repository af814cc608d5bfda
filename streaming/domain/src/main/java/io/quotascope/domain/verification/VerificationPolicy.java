package io.quotascope.domain.verification;

/**
 * How a change is verified.
 *
 * @param settlingHours full hours after the change that are left out: deploys roll, caches warm up
 * @param hoursAfterMax hours after the change that are looked at, at most
 * @param hoursBackMax how far back a counterpart may lie, hours
 * @param pairsMin pairs below which no answer is given
 * @param resamples bootstrap resamples
 * @param throttledRatioMin smallest change of the throttled period ratio worth a verdict
 * @param factorMin smallest relative change of any other quantity worth a verdict
 */
public record VerificationPolicy(
        long settlingHours,
        long hoursAfterMax,
        long hoursBackMax,
        int pairsMin,
        int resamples,
        double throttledRatioMin,
        double factorMin) {
    /** One hour to settle, two weeks after, three weeks back, at least a day of pairs. */
    public static final VerificationPolicy DEFAULT =
            new VerificationPolicy(1, 14 * 24, 21 * 24, 24, 999, 0.005, 0.02);

    double smallestWorthwhile(Quantity quantity) {
        return quantity == Quantity.THROTTLED_PERIOD_RATIO ? throttledRatioMin : factorMin;
    }
}
