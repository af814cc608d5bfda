package io.quotascope.fleetsim.fleet;

/**
 * A time in which records of a host did not arrive.
 *
 * @param host the host
 * @param fromUs first instant, microseconds since the Unix epoch, a whole minute
 * @param untilUs first instant after it, a whole minute
 * @param whole true: nothing of the host came; false: its own windows came and said how many
 *     windows of shards it had sent, and those did not
 */
public record Silence(Host host, long fromUs, long untilUs, boolean whole) {
    /** Whether it covers an instant. */
    public boolean covers(long us) {
        return us >= fromUs && us < untilUs;
    }
}
