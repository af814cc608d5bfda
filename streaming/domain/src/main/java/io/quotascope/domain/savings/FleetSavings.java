package io.quotascope.domain.savings;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Reclaimable cores of many services. Their errors go together, since all estimates lean on the
 * same price of concurrency: the interval of the sum is far wider than independent errors would
 * make it.
 *
 * @param cores median, cores
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

    /** Draws all services together. The same seed gives the same figures. */
    public static FleetSavings of(List<ServiceSavings> services, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] totals = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double common = random.nextGaussian();
            for (ServiceSavings service : services) {
                totals[draw] += drawn(service, common, random.nextGaussian());
            }
        }
        Arrays.sort(totals);
        return new FleetSavings(
                totals[DRAWS / 2], totals[DRAWS / 20], totals[DRAWS - 1 - DRAWS / 20]);
    }

    private static double drawn(ServiceSavings service, double common, double own) {
        if (service.best().isEmpty()) {
            return 0;
        }
        FixSet set = service.best().get();
        double shared = commonErrorShare(service.kappaMeasured());
        double error = shared * common + Math.sqrt(1 - shared * shared) * own;
        double gain = set.gain() * StrictMath.exp(set.logDeviation() * error);
        return ServiceSavings.freed(gain, service.needCores(), service.floorCores());
    }
}
