package io.quotascope.domain.ledger;

import java.util.Collection;
import java.util.List;

/**
 * Which cores a recommendation may call its own. A recommendation that takes a service from R to R
 * - c reserved cores claims the cores between the two. It is credited with those of them that no
 * other recommendation of the service holds.
 *
 * <p>What is accepted for another quota class but not yet carried out is taken off R first: those
 * cores are still reserved, yet they are not the ones that this recommendation frees. When a
 * service grows back over cores that were credited before, they are not credited again: rather too
 * little than twice.
 */
final class Credit {
    private static final double MILLI = 1000;

    private Credit() {}

    /** The cores of a recommendation that nobody of the others holds. */
    static CoreSpans of(Recommendation accepted, Collection<Recommendation> others) {
        Forecast forecast = accepted.forecast();
        if (forecast.reservedCores().isEmpty() || forecast.reclaimableCores().isEmpty()) {
            return CoreSpans.NONE;
        }
        List<Recommendation> holders =
                others.stream()
                        .filter(other -> other.state().holdsCredit())
                        .filter(other -> other.advice().sameService(accepted.advice()))
                        .filter(other -> !other.key().equals(accepted.key()))
                        .toList();
        long pending =
                holders.stream()
                        .filter(other -> other.state() == RecommendationState.ACCEPTED)
                        .filter(other -> !sameClass(other, accepted))
                        .mapToLong(other -> other.credited().millicores())
                        .sum();
        long reserved = Math.round(forecast.reservedCores().getAsDouble() * MILLI);
        long claimed = Math.round(forecast.reclaimableCores().get().value() * MILLI);
        long top = Math.max(0, reserved - pending);
        return CoreSpans.of(top - Math.min(claimed, top), top)
                .minus(CoreSpans.union(holders.stream().map(Recommendation::credited).toList()));
    }

    private static boolean sameClass(Recommendation one, Recommendation other) {
        return one.advice().quotaClass().equals(other.advice().quotaClass());
    }
}
