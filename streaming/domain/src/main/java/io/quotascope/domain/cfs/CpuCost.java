package io.quotascope.domain.cfs;

/**
 * CPU time that a unit of work costs, growing with the number of CPUs that run the group: {@code 1
 * + kappa (c - reference) / reference} for c CPUs above the reference, else 1. It stands for shared
 * caches, sibling hyper-threads and locks.
 *
 * @param kappa growth; 0 = work always costs its own length
 * @param referenceCores cores up to which work costs its own length, above 0
 */
public record CpuCost(double kappa, double referenceCores) {
    /** Work costs its own length. */
    public static final CpuCost CONSTANT = new CpuCost(0, 1);

    /** Progress of one microsecond at cost 1. */
    static final long UNIT = 1L << 20;

    /**
     * A finite cost.
     *
     * @throws IllegalArgumentException when kappa is negative or a value is not finite
     */
    public CpuCost {
        if (!(kappa >= 0 && kappa <= 100)) {
            throw new IllegalArgumentException("kappa must be within 0 and 100: " + kappa);
        }
        if (!(referenceCores > 0 && referenceCores <= 1_000_000)) {
            throw new IllegalArgumentException(
                    "referenceCores must be positive: " + referenceCores);
        }
    }

    /** Cost of a unit of work while so many cores run the group. */
    public double at(double runningCores) {
        return 1 + kappa * Math.max(0, runningCores - referenceCores) / referenceCores;
    }

    /** Progress in a microsecond while 0, 1, 2 .. CPUs run the group, rounded up. */
    long[] progressTable(int cpus) {
        long[] progress = new long[cpus + 1];
        for (int running = 0; running <= cpus; running++) {
            progress[running] = (long) Math.ceil(UNIT / at(running));
        }
        return progress;
    }
}
