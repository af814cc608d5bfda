package io.quotascope.domain.analysis;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the recommended changes of many services free, what they take where a service needs more
 * than it has, and what is left of both; in cores or in money.
 *
 * @param freed by the services that give cores back, right-sizing and fixes together
 * @param needed by the others; positive
 * @param net freed less needed
 */
public record FleetBalance(Estimate freed, Estimate needed, Estimate net) {
    /** One side: a sum and how far its ends are from it. */
    private record Sum(double value, double below, double above) {
        static final Sum NONE = new Sum(0, 0, 0);

        Sum plus(Estimate estimate, double worth) {
            return new Sum(
                    value + worth * estimate.value(),
                    below + worth * (estimate.value() - estimate.low()),
                    above + worth * (estimate.high() - estimate.value()));
        }
    }

    /**
     * The balance of some services. Cliffs are found by one line fitted for all, so the ends of
     * what follows from them are added; how much fixes gain is another error, which knows nothing
     * of that one.
     *
     * @param byFixes what fixes free of all of them, drawn together
     * @param worth of a core of each
     */
    static FleetBalance of(
            List<FleetPart> parts, Estimate byFixes, ToDoubleFunction<FleetPart> worth) {
        Sum spare = Sum.NONE;
        Sum taken = Sum.NONE;
        for (FleetPart part : parts) {
            double each = worth.applyAsDouble(part);
            if (part.taken().isPresent()) {
                taken = taken.plus(part.taken().get(), each);
            } else if (part.rightSizing().isPresent()) {
                spare = spare.plus(part.rightSizing().get(), each);
            }
        }
        double below = byFixes.value() - byFixes.low();
        double above = byFixes.high() - byFixes.value();
        double freed = spare.value() + byFixes.value();
        double net = freed - taken.value();
        return new FleetBalance(
                new Estimate(
                        freed,
                        Math.max(0, freed - Math.hypot(spare.below(), below)),
                        freed + Math.hypot(spare.above(), above)),
                new Estimate(
                        taken.value(),
                        Math.max(0, taken.value() - taken.below()),
                        taken.value() + taken.above()),
                new Estimate(
                        net,
                        net - Math.hypot(spare.below() + taken.above(), below),
                        net + Math.hypot(spare.above() + taken.below(), above)));
    }
}
