package io.quotascope.domain.savings;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Reclaimable cores of many services. Their errors go together, since all estimates lean on the
 * same price of concurrency: the interval of the sum is far wider than independent errors would
 * make it.
 *
 * @param cores median, cores, or what the parts are worth
 * @param coresLow 5th percentile
 * @param coresHigh 95th percentile
 */
public record FleetSavings(double cores, double coresLow, double coresHigh) {
    private static final int DRAWS = 2001;

    private static final double COMMON_SHARE = 0.7;

    /**
     * Share of a service's log error that all services have in common, 0..1: without measured kappa
     * most of it, for they all lean on the same prior.
     */
    public static double commonErrorShare(boolean kappaMeasured) {
        return kappaMeasured ? 0 : COMMON_SHARE;
    }

    /**
     * What a total needs to know of one service.
     *
     * @param gain load that the same reservation carries after the fixes / now
     * @param logDeviation standard error of the logarithm of the gain
     * @param needCores cores needed without the fixes
     * @param floorCores cores below which other reasons than CPU forbid to go
     * @param kappaMeasured false when the cost of concurrency is the prior
     * @param worth of one core, in any unit; 1 makes a total of cores
     */
    public record Part(
            double gain,
            double logDeviation,
            double needCores,
            double floorCores,
            boolean kappaMeasured,
            double worth) {
        private double drawn(double common, double own) {
            double shared = commonErrorShare(kappaMeasured);
            double error = shared * common + Math.sqrt(1 - shared * shared) * own;
            double drawn = gain * StrictMath.exp(logDeviation * error);
            return worth * freed(drawn, needCores, floorCores);
        }
    }

    /** Cores freed by a gain: never more than the joint replay says, never below the floor. */
    static double freed(double gain, double needCores, double floorCores) {
        return Math.min(needCores * FixSet.savedShare(gain), Math.max(0, needCores - floorCores));
    }

    /** Draws all services together. The same seed gives the same figures. */
    public static FleetSavings ofParts(List<Part> parts, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] totals = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double common = random.nextGaussian();
            for (Part part : parts) {
                totals[draw] += part.drawn(common, random.nextGaussian());
            }
        }
        Arrays.sort(totals);
        return new FleetSavings(
                totals[DRAWS / 2], totals[DRAWS / 20], totals[DRAWS - 1 - DRAWS / 20]);
    }
}
