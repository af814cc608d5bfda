package io.quotascope.domain.hosts;

import io.quotascope.domain.window.WindowPart;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One host in one hour, or in what has passed of it, all that was appended up to a mark merged.
 *
 * @param key the host
 * @param slice the hour and the mark
 * @param revision reprocessing revision
 * @param heardBefore whether a window of an earlier hour was received within {@link
 *     #REMEMBERED_MS}: of the first hour of a host only what follows its first window is expected
 * @param tally the counts
 */
public record HostHour(
        HostKey key, HourSlice slice, long revision, boolean heardBefore, HostTally tally) {
    /**
     * For how long it is known that a host was heard: until nothing of that hour can be accepted.
     */
    public static final long REMEMBERED_MS =
            WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS + 60_000;

    private static final int REVISION_SHIFT = 32;

    /**
     * Version of the row: revision x 2^32 + the mark, so that a later look at the same hour
     * replaces an earlier one.
     */
    public long version() {
        return (revision << REVISION_SHIFT) + slice.mark();
    }

    /** CPUs online, the most stated. */
    public int cpus() {
        return (int) tally.count(HostCounter.CPUS_MAX);
    }

    /** The smaller one of what arrived of the host's own windows and of its shards', 0..1. */
    public double completeness() {
        double hosts = count(HostCounter.HOST_RECORDS) / (double) expectedHostRecords();
        return Math.min(1, Math.min(hosts, shardCompleteness().orElse(1)));
    }

    /**
     * Host windows that were to come until the mark: all that passed, or, of a host that was not
     * heard before, all since its first one, and never fewer than its sequence numbers tell of.
     */
    public long expectedHostRecords() {
        OptionalLong first = firstHeardUs();
        if (first.isEmpty()) {
            return slice.hostRecords();
        }
        long before = (first.getAsLong() - slice.hourStartUs()) / WindowPart.WINDOW_US;
        long numbered = count(HostCounter.HOST_RECORDS) + count(HostCounter.MISSING_HOST_RECORDS);
        return Math.min(slice.hostRecords(), Math.max(numbered, slice.hostRecords() - before));
    }

    /**
     * Start of the first window of a host that was not heard before, microseconds since the Unix
     * epoch; absent when it was, and when no window of this hour came.
     */
    public OptionalLong firstHeardUs() {
        return heardBefore
                ? OptionalLong.empty()
                : stated(HostCounter.FIRST_WINDOW_US, HostCounter.FIRST_WINDOW_US);
    }

    /**
     * End of the last window received, microseconds since the Unix epoch; absent when none came.
     */
    public OptionalLong heardUntilUs() {
        return stated(HostCounter.HEARD_UNTIL_US, HostCounter.HEARD_UNTIL_US);
    }

    /** Shard windows received / stated as sent, 0..1; absent when the host has stated none. */
    public OptionalDouble shardCompleteness() {
        long expected = count(HostCounter.EXPECTED_SHARD_RECORDS);
        return expected == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Math.min(1, count(HostCounter.SHARD_RECORDS) / (double) expected));
    }

    /** Mean used cores of the host; absent when usage was never stated. */
    public OptionalDouble usedCores() {
        return ratio(HostCounter.USAGE_US, count(HostCounter.USAGE_RECORDS) * WindowPart.WINDOW_US);
    }

    /** Used cores / CPUs. */
    public OptionalDouble utilization() {
        return perCpu(usedCores());
    }

    /** Saturated windows / windows that state usage. */
    public OptionalDouble saturatedRatio() {
        return ratio(HostCounter.SATURATED_WINDOWS, count(HostCounter.USAGE_RECORDS));
    }

    /** Steal / CPU time that the CPUs could give. */
    public OptionalDouble stealRatio() {
        return ratio(HostCounter.STEAL_US, count(HostCounter.STEAL_CAPACITY_US));
    }

    /** Mean threads. */
    public OptionalDouble threads() {
        return ratio(HostCounter.THREADS, count(HostCounter.THREAD_RECORDS));
    }

    /** Mean runnable threads. */
    public OptionalDouble runnableThreads() {
        return ratio(HostCounter.RUNNABLE_THREADS, count(HostCounter.RUNNABLE_RECORDS));
    }

    /** A quantity of the host / CPUs. */
    public OptionalDouble perCpu(OptionalDouble quantity) {
        return quantity.isEmpty() || cpus() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(quantity.getAsDouble() / cpus());
    }

    /** CPU time of agent and BPF programs / time of one CPU in the windows received. */
    public double agentCpuRatio() {
        long wallUs = Math.max(1, count(HostCounter.HOST_RECORDS)) * WindowPart.WINDOW_US;
        return (count(HostCounter.AGENT_CPU_US) + count(HostCounter.BPF_RUN_US)) / (double) wallUs;
    }

    /** A count. */
    public long count(HostCounter counter) {
        return tally.count(counter);
    }

    /** A count that is absent when none of its records stated it. */
    public OptionalLong stated(HostCounter counter, HostCounter records) {
        return count(records) == 0 ? OptionalLong.empty() : OptionalLong.of(count(counter));
    }

    private OptionalDouble ratio(HostCounter counter, long base) {
        return base == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(count(counter) / (double) base);
    }
}
