package io.quotascope.domain.savings;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What one service can give back. Plain right-sizing and tuning are told apart: only the second
 * needs the fixes.
 *
 * @param rightSizingCores cores that are free already at the target headroom
 * @param best the fixes to make; absent when none is worth it
 * @param reclaimableCores further cores that they free; 0 without them
 * @param reclaimableCoresLow 5th percentile
 * @param reclaimableCoresHigh 95th percentile
 * @param needCores cores needed without the fixes; the base of the three above
 * @param floorCores cores below which other reasons than CPU forbid to go
 * @param kappaMeasured false when the cost of concurrency is the prior
 */
public record ServiceSavings(
        double rightSizingCores,
        Optional<FixSet> best,
        double reclaimableCores,
        double reclaimableCoresLow,
        double reclaimableCoresHigh,
        double needCores,
        double floorCores,
        boolean kappaMeasured) {
    /** Two sums of the same cores differ by no more. */
    private static final double ROUNDING = 1e-9;

    /**
     * Chooses the set with the greatest expected cores per day of effort among those that free at
     * least nine tenths of what the best set frees: the cheapest way to nearly everything.
     */
    public static ServiceSavings of(
            Provisioning provisioning,
            Provisioning.Targets targets,
            List<FixSet> sets,
            Kappa kappa) {
        double need = provisioning.rightSizedCores(targets);
        double floor = provisioning.floorCores(targets);
        double most =
                sets.stream().mapToDouble(set -> freed(set.gain(), need, floor)).max().orElse(0);
        Optional<FixSet> best =
                sets.stream()
                        .filter(set -> most > 0 && freed(set.gain(), need, floor) >= 0.9 * most)
                        .max(Comparator.comparingDouble(set -> perDay(set, need, floor)));
        return new ServiceSavings(
                provisioning.reservedCoresTotal() - need,
                best,
                best.map(set -> freed(set.gain(), need, floor)).orElse(0.0),
                best.map(set -> freed(set.gainLow(), need, floor)).orElse(0.0),
                best.map(set -> freed(set.gainHigh(), need, floor)).orElse(0.0),
                need,
                floor,
                kappa.measured());
    }

    private static double perDay(FixSet set, double need, double floor) {
        return freed(set.gain(), need, floor) * set.successProbability() / set.effortDays();
    }

    /**
     * Whether what must stay bounds what the fixes free, rather than their gain: then all three
     * figures are that bound and no estimate.
     */
    public boolean floorDecides() {
        return best.isPresent()
                && reclaimableCores > 0
                && reclaimableCores >= (needCores - floorCores) * (1 - ROUNDING);
    }

    /** Cores freed by a gain: never more than the joint replay says, never below the floor. */
    static double freed(double gain, double needCores, double floorCores) {
        return Math.min(needCores * FixSet.savedShare(gain), Math.max(0, needCores - floorCores));
    }
}
