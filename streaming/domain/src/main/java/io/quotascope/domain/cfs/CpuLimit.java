package io.quotascope.domain.cfs;

/** What keeps a group from using every CPU of its host. */
public sealed interface CpuLimit {
    /**
     * Bandwidth control: at most quota of CPU time in every period.
     *
     * @param quotaUs CPU time added at every refill
     * @param periodUs distance of refills
     * @param burstUs unused quota that may be kept beyond one quota (cpu.max.burst)
     * @param phaseUs the refills lie on phase + k x period; 0 <= phase < period
     */
    record Quota(long quotaUs, long periodUs, long burstUs, long phaseUs) implements CpuLimit {
        /**
         * A quota that the kernel could hold.
         *
         * @throws IllegalArgumentException when a value is outside its range
         */
        public Quota {
            Ranges.atLeast(1, quotaUs, "quotaUs");
            Ranges.atLeast(1, periodUs, "periodUs");
            Ranges.atLeast(0, burstUs, "burstUs");
            Ranges.atLeast(0, phaseUs, "phaseUs");
            if (phaseUs >= periodUs) {
                throw new IllegalArgumentException("phaseUs must be below periodUs: " + phaseUs);
            }
        }

        /** Number of the period that holds an instant; a refill belongs to the period it opens. */
        long periodAt(long nowUs) {
            return Math.floorDiv(nowUs - phaseUs, periodUs);
        }

        /** First refill instant strictly after now. */
        long refillAfter(long nowUs) {
            return phaseUs + (periodAt(nowUs) + 1) * periodUs;
        }
    }

    /**
     * At most so many CPUs run the group at any instant, and there is no quota.
     *
     * @param cores whole cores, at least 1
     */
    record ConcurrencyCap(int cores) implements CpuLimit {
        /**
         * A positive cap.
         *
         * @throws IllegalArgumentException below 1
         */
        public ConcurrencyCap {
            Ranges.atLeast(1, cores, "cores");
        }

        /** The cap that allows no more than a quota does: its cores rounded up. */
        public static ConcurrencyCap of(Quota quota) {
            return new ConcurrencyCap(
                    Math.toIntExact(-Math.floorDiv(-quota.quotaUs(), quota.periodUs())));
        }
    }

    /**
     * The group may use these CPUs only, all day, and there is no quota.
     *
     * @param cpus number of CPUs, at least 1
     */
    record Pinned(int cpus) implements CpuLimit {
        /**
         * A positive number of CPUs.
         *
         * @throws IllegalArgumentException below 1
         */
        public Pinned {
            Ranges.atLeast(1, cpus, "cpus");
        }
    }

    /** cpu.max says max. */
    record Unlimited() implements CpuLimit {}

    /** CPUs of the host that may run the group under this limit. */
    default int cpusOf(int hostCpus) {
        if (this instanceof ConcurrencyCap cap) {
            return Math.min(hostCpus, cap.cores());
        }
        if (this instanceof Pinned pinned) {
            return Math.min(hostCpus, pinned.cpus());
        }
        return hostCpus;
    }
}
