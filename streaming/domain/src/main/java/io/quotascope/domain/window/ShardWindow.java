package io.quotascope.domain.window;

import io.quotascope.domain.histogram.PackedBytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One shard in one window of 10 s: the domain's form of CpuUsageWindow, as sent. It is not checked
 * by its constructor, because a bad record must be named and set aside, not thrown: see {@link
 * Validation}.
 *
 * @param sender who sent it
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param shard name within service and cluster
 * @param shardId stable hash of host, path and incarnation
 * @param windowStartUs start, microseconds since the Unix epoch, UTC
 * @param sampling how well it was sampled
 * @param usage CPU use
 * @param bandwidth quota and period at the window's end
 * @param burstUs burst allowance, microseconds; absent where the kernel has none
 * @param ancestorBandwidth setting of the tightest ancestor; both absent when no ancestor has a
 *     quota
 * @param throttling the kernel's bandwidth counters
 * @param threads all tasks at the window's end; absent without pids controller
 * @param runnableHistogram runnable threads over samples, packed; absent without eBPF
 * @param exemplar the raw samples, one byte each; absent unless chosen
 * @param hardware cycles and instructions
 * @param excursionThreads top thread names above quota; absent when names are not measured
 * @param placement ancestors, CPUs and the phase of the periods
 */
public record ShardWindow(
        Sender sender,
        Origin origin,
        String cluster,
        String service,
        String shard,
        long shardId,
        long windowStartUs,
        Sampling sampling,
        UsageReading usage,
        Bandwidth bandwidth,
        OptionalLong burstUs,
        Bandwidth ancestorBandwidth,
        ThrottlingCounters throttling,
        OptionalLong threads,
        Optional<PackedBytes> runnableHistogram,
        Optional<PackedBytes> exemplar,
        HardwareCounters hardware,
        Optional<List<ExcursionThread>> excursionThreads,
        Placement placement) {

    /** The rows that this window adds to. */
    public ServiceKey key() {
        return new ServiceKey(origin, cluster, service, bandwidth.quotaClass());
    }

    /** The same window as a collector sends it that counts or keeps other things of it. */
    public ShardWindow with(
            ThrottlingCounters throttling,
            Optional<PackedBytes> runnableHistogram,
            Optional<PackedBytes> exemplar) {
        return new ShardWindow(
                sender,
                origin,
                cluster,
                service,
                shard,
                shardId,
                windowStartUs,
                sampling,
                usage,
                bandwidth,
                burstUs,
                ancestorBandwidth,
                throttling,
                threads,
                runnableHistogram,
                exemplar,
                hardware,
                excursionThreads,
                placement);
    }
}
