package io.quotascope.domain.window;

/**
 * What one host says in one window about one service and quota class: the base of completeness.
 *
 * @param key service and class
 * @param windowStartUs start of the window of 10 s, microseconds since the Unix epoch
 * @param bandwidth setting that the class stands for
 * @param shardRecords records that the host says it sent
 * @param kernelRelease kernel of the host
 * @param first whether the records are first ones of newborn shards, which come one window late:
 *     the host itself was counted by what it said in time
 */
public record HostStatement(
        ServiceKey key,
        long windowStartUs,
        Bandwidth bandwidth,
        long shardRecords,
        String kernelRelease,
        boolean first) {
    /** What a host says in time. */
    public HostStatement(
            ServiceKey key,
            long windowStartUs,
            Bandwidth bandwidth,
            long shardRecords,
            String kernelRelease) {
        this(key, windowStartUs, bandwidth, shardRecords, kernelRelease, false);
    }

    /** Two settings of one class on the same host and window. */
    HostStatement plus(HostStatement other) {
        return new HostStatement(
                key,
                windowStartUs,
                bandwidth.least(other.bandwidth),
                shardRecords + other.shardRecords,
                kernelRelease,
                first);
    }
}
