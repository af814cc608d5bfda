package io.quotascope.domain.cfs.service;

/**
 * How impatient the people are who ask.
 *
 * @param timeoutUs how long an attempt is waited for, microseconds
 * @param retries how often a request is asked again after a time-out or a refusal
 * @param backoffUs pause before asking again, microseconds
 */
public record Client(long timeoutUs, int retries, long backoffUs) {
    /**
     * A client that waits at all.
     *
     * @throws IllegalArgumentException when a value is outside its range
     */
    public Client {
        if (timeoutUs < 1 || retries < 0 || backoffUs < 0) {
            throw new IllegalArgumentException(
                    "no such client: " + timeoutUs + " us, " + retries + " retries, " + backoffUs);
        }
    }
}
