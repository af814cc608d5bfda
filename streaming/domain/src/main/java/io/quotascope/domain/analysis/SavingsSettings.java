package io.quotascope.domain.analysis;

import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.whatif.advice.Target;

/**
 * What an operator decides about estimating savings.
 *
 * @param targets how tightly to provision
 * @param throttledPeriodRatio most throttled periods / periods at peak that a change may leave
 * @param kappa cost of concurrency
 */
public record SavingsSettings(
        Provisioning.Targets targets, double throttledPeriodRatio, Kappa kappa) {
    /** The same with the cost that was measured of a service; without one as it is. */
    SavingsSettings with(Kappa known) {
        return known.measured() ? new SavingsSettings(targets, throttledPeriodRatio, known) : this;
    }

    /** The targets and the prior of the model. */
    public static final SavingsSettings DEFAULT =
            new SavingsSettings(
                    Provisioning.Targets.DEFAULT,
                    Target.DEFAULT.throttledPeriodRatio(),
                    Kappa.PRIOR);

    /**
     * Settings that make sense.
     *
     * @throws IllegalArgumentException when a target is out of range
     */
    public SavingsSettings {
        if (!(targets.headroomTarget() >= 1)
                || !(targets.utilizationMax() > 0 && targets.utilizationMax() <= 1)
                || !(targets.failedShardsRatio() >= 0 && targets.failedShardsRatio() < 1)) {
            throw new IllegalArgumentException(
                    "headroom is at least 1, utilization and failed shards are shares: " + targets);
        }
        new Target(throttledPeriodRatio, targets.headroomTarget(), 1, Target.Aim.SAVINGS);
    }

    /**
     * What a change has to reach.
     *
     * @param peakMultiple peak load / mean load of the horizon
     */
    public Target target(double peakMultiple) {
        return new Target(
                throttledPeriodRatio, targets.headroomTarget(), peakMultiple, Target.Aim.SAVINGS);
    }
}
