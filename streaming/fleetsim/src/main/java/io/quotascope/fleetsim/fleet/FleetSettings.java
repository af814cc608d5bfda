package io.quotascope.fleetsim.fleet;

/**
 * What decides everything about a fleet: the same settings give the same bytes.
 *
 * @param seed seed of all draws
 * @param services services
 * @param shards shards of all services together
 * @param startUs first instant, microseconds since the Unix epoch, a whole hour
 * @param days length of the simulated time
 */
public record FleetSettings(long seed, int services, int shards, long startUs, int days) {
    /** A day, microseconds. */
    public static final long DAY_US = 86_400_000_000L;

    /** An hour, microseconds. */
    public static final long HOUR_US = 3_600_000_000L;

    /** Shards per host, roughly. */
    static final int SHARDS_PER_HOST = 20;

    /**
     * A fleet that can be made.
     *
     * @throws IllegalArgumentException when it is too small or does not start on the hour
     */
    public FleetSettings {
        if (services < 7 || shards < 2 * services || days < 1) {
            throw new IllegalArgumentException(
                    "at least 7 services, two shards a service and a day: "
                            + services
                            + ", "
                            + shards
                            + ", "
                            + days);
        }
        if (startUs < 0 || startUs % HOUR_US != 0) {
            throw new IllegalArgumentException("the start must be a full hour: " + startUs);
        }
    }

    /** First instant after the simulated time, microseconds since the Unix epoch. */
    public long endUs() {
        return startUs + days * DAY_US;
    }
}
