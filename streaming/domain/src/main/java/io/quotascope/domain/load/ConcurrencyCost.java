package io.quotascope.domain.load;

import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;

/**
 * What concurrency costs one service, from its requests and its CPU time.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param measuredAtUs end of the newest minute that it rests on, microseconds since the Unix epoch
 * @param minutes minutes that it rests on; older ones count less and less
 * @param kappa the value that leaves the work of a request the same in all minutes
 * @param low 5th percentile
 * @param high 95th percentile
 * @param version rises with every new record, from 1
 */
public record ConcurrencyCost(
        Origin origin,
        String cluster,
        String service,
        long measuredAtUs,
        long minutes,
        double kappa,
        double low,
        double high,
        long version) {
    /** With fewer minutes chance decides. */
    private static final long MINUTES_MIN = 120;

    /** A wider interval says less than the prior, of which 0.2 to 0.6 are plausible. */
    private static final double WIDTH_MAX = 0.4;

    /**
     * A cost with its interval.
     *
     * @throws IllegalArgumentException when the value lies outside its interval or is negative
     */
    public ConcurrencyCost {
        if (!(0 <= low && low <= kappa && kappa <= high && high <= CostEvidence.KAPPA_MAX)) {
            throw new IllegalArgumentException(
                    "kappa must lie inside its interval: " + low + ", " + kappa + ", " + high);
        }
        if (version < 1 || minutes < 0) {
            throw new IllegalArgumentException("version " + version + ", minutes " + minutes);
        }
    }

    /** Whether it says more than the prior. */
    public boolean usable() {
        return minutes >= MINUTES_MIN && high - low <= WIDTH_MAX;
    }

    /** What analyses work with. */
    public Kappa asKappa() {
        return usable() ? new Kappa(kappa, true) : Kappa.PRIOR;
    }

    /** Key on topic concurrency-costs.v1: origin/cluster/service. */
    public String topicKey() {
        return origin.label() + '/' + cluster + '/' + service;
    }

    /** Whether it is about the service of a key. */
    public boolean isOf(ServiceKey key) {
        return origin == key.origin()
                && cluster.equals(key.cluster())
                && service.equals(key.service());
    }
}
