package io.quotascope.domain.whatif;

/**
 * What clients do when they wait. Work that timed out stays in the server's queue: the server does
 * not know that nobody waits for it.
 *
 * @param timeoutUs how long a client waits, microseconds; in whole slots, rounded up
 * @param retries how often it tries again, 0 = never
 */
public record ClientPolicy(long timeoutUs, int retries) {
    /** More retries than any client makes; each costs memory of one series. */
    public static final int RETRIES_MAX = 16;

    /**
     * A policy that a client could have.
     *
     * @throws IllegalArgumentException when the timeout is not positive or retries are outside 0 ..
     *     16
     */
    public ClientPolicy {
        if (timeoutUs < 1 || retries < 0 || retries > RETRIES_MAX) {
            throw new IllegalArgumentException("timeout " + timeoutUs + " retries " + retries);
        }
    }

    int timeoutSlots() {
        return Math.toIntExact(
                Math.min(
                        Integer.MAX_VALUE,
                        (timeoutUs + DemandSeries.SLOT_US - 1) / DemandSeries.SLOT_US));
    }
}
