package io.quotascope.fleetsim.fleet;

import io.quotascope.domain.window.Bandwidth;

/**
 * What an owner can turn.
 *
 * @param quotaUs CPU time in every period, microseconds
 * @param periodUs enforcement period, microseconds
 * @param poolThreads workers of a shard
 */
public record Setting(long quotaUs, long periodUs, int poolThreads) {
    /** The default period, microseconds. */
    public static final long PERIOD_US = 100_000;

    /** Quota and period as records state them. */
    public Bandwidth bandwidth() {
        return Bandwidth.of(quotaUs, periodUs);
    }

    /** Quota / period. */
    public double quotaCores() {
        return quotaUs / (double) periodUs;
    }

    /** Another quota in the same period. */
    Setting withQuota(double factor) {
        // Whole tenths of a core, as people write them.
        double cores = Math.max(1, Math.round(10 * factor * quotaCores())) / 10.0;
        return new Setting(Math.round(cores * periodUs), periodUs, poolThreads);
    }

    /** The same cores in another period. */
    Setting withPeriod(long otherUs) {
        return new Setting(Math.round(quotaCores() * otherUs), otherUs, poolThreads);
    }

    /** Another number of workers. */
    Setting withPool(int threads) {
        return new Setting(quotaUs, periodUs, threads);
    }
}
