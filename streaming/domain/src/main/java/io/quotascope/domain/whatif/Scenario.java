package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.List;
import java.util.Optional;

/** One change, asked about before it is made. */
public sealed interface Scenario {
    /** The situation after the change. */
    Situation after(Situation now);

    /** Nothing changes. */
    record AsItIs() implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now;
        }
    }

    /** Another quota, period or burst, or any of them together. */
    record SetQuota(CpuLimit.Quota quota) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.with(Optional.of(quota));
        }

        /** The quota that gives a multiple of the reserved cores, the rest as it is. */
        public static SetQuota ofReservation(
                CpuLimit.Quota current, double reservedCores, double multiple) {
            long quotaUs = Math.round(multiple * reservedCores * current.periodUs());
            return new SetQuota(
                    new CpuLimit.Quota(
                            Math.max(1, quotaUs),
                            current.periodUs(),
                            current.burstUs(),
                            current.phaseUs()));
        }
    }

    /**
     * Another bandwidth slice for the whole host. Slices are not part of the fluid, and what is
     * left of them goes back to the pool at once: the answer is that of no change, and it says so.
     */
    record BandwidthSlice(long sliceUs) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now;
        }
    }

    /** A kernel whose slices do not expire: nothing is stranded any more. */
    record FixedKernel() implements Scenario {
        @Override
        public Situation after(Situation now) {
            return new Situation(now.demand(), now.quota(), now.capCores(), 0, now.cost());
        }
    }

    /** At most so many threads of the pool run at once; the quota stays. */
    record PoolThreads(int threads) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.cappedAt(threads);
        }
    }

    /** At most so many cores at any instant in place of a quota. */
    record ConcurrencyCap(int cores) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.with(Optional.empty()).cappedAt(cores);
        }
    }

    /** Whole CPUs of its own in place of a quota. */
    record WholeCpus(int cpus) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.with(Optional.empty()).cappedAt(cpus);
        }
    }

    /**
     * No quota on a host whose other tenants leave so many cores at the given share of instants.
     * Who is nice to neighbours by weight alone gets what they leave.
     *
     * @param room what the host leaves
     */
    record NoQuota(HostRoom room) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.with(Optional.empty()).cappedAt(room.coresLeft());
        }
    }

    /**
     * So many shards become one with the sum of their quotas and caps.
     *
     * @param shards how many
     * @param correlation of the demand of two shards, 0 .. 1 ({@link ShardCorrelation})
     */
    record Consolidate(int shards, double correlation) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return new Situation(
                    MergedDemand.of(now.demand(), shards, correlation),
                    now.quota().map(quota -> times(quota, shards)),
                    Math.min(1_000_000, now.capCores() * shards),
                    now.strandedUs(),
                    now.cost());
        }
    }

    /**
     * One shard becomes so many, each with its part of load and quota. Nothing is gained by it: the
     * parts only miss what evened out between them.
     */
    record Split(int parts) implements Scenario {
        /**
         * How fast chance shrinks with the part. Clients that take turns leave hardly any chance
         * between parts (1), those that pick at random all of it (0.5).
         */
        private static final double EXPONENT = 0.7;

        @Override
        public Situation after(Situation now) {
            return new Situation(
                    now.demand().atLoad(1.0 / parts, EXPONENT),
                    now.quota().map(quota -> times(quota, 1.0 / parts)),
                    now.capCores(),
                    now.strandedUs(),
                    now.cost());
        }
    }

    /**
     * Another load.
     *
     * @param multiple of today's
     * @param exponent how fast chance grows with load ({@link LoadExponent}); 0.5 when not known
     */
    record Load(double multiple, double exponent) implements Scenario {
        @Override
        public Situation after(Situation now) {
            return now.with(now.demand().atLoad(multiple, exponent));
        }
    }

    /** Several changes at once, in this order. */
    record Together(List<Scenario> changes) implements Scenario {
        /** A list that cannot change any more. */
        public Together {
            changes = List.copyOf(changes);
        }

        @Override
        public Situation after(Situation now) {
            Situation after = now;
            for (Scenario change : changes) {
                after = change.after(after);
            }
            return after;
        }
    }

    private static CpuLimit.Quota times(CpuLimit.Quota quota, double factor) {
        return new CpuLimit.Quota(
                Math.max(1, Math.round(factor * quota.quotaUs())),
                quota.periodUs(),
                Math.round(factor * quota.burstUs()),
                quota.phaseUs());
    }
}
