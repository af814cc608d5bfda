package io.quotascope.domain.savings;

import io.quotascope.domain.whatif.CostGrowth;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How much dearer work gets with concurrency, and how we know.
 *
 * @param value growth per quota of cores ({@code CostGrowth})
 * @param measured true when requests or hardware counters gave it, false when it is the prior
 */
public record Kappa(double value, boolean measured) {
    /**
     * The prior, 0.4: the one value that gives the published figures at once (failure near 40 % of
     * the quota, 1.6 to 2 times the load after tuning; Luu, "The container throttling problem").
     * 0.2 to 0.6 are plausible.
     */
    public static final Kappa PRIOR = new Kappa(0.4, false);

    /** Where it comes from, as rows say it. */
    public String words() {
        return measured
                ? String.format(
                        Locale.ROOT,
                        "the cost of concurrency is %.2f, measured from requests and CPU time",
                        value)
                : "the cost of concurrency is a prior, not measured";
    }

    /**
     * The growth at a quota, where both are known; absent otherwise, and then nothing is assumed.
     */
    public Optional<CostGrowth> measuredGrowth(OptionalDouble quotaCores) {
        return measured && quotaCores.orElse(0) > 0
                ? Optional.of(new CostGrowth(value, quotaCores.getAsDouble()))
                : Optional.empty();
    }
}
