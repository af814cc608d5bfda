package io.quotascope.domain.hosts;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.WindowPart;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts of one host over any of its windows, in any order. Mutable, because it is added to with
 * every record; about 500 bytes.
 */
public final class HostTally {
    private final long[] counts = new long[HostCounter.values().length];
    private final SortedMap<Long, String> kernels = new TreeMap<>();
    private final SortedSet<String> methods = new TreeSet<>();

    /** A count. */
    public long count(HostCounter counter) {
        return counts[counter.ordinal()];
    }

    /** Adds to a count by its law. */
    public void add(HostCounter counter, long value) {
        counts[counter.ordinal()] = counter.join(counts[counter.ordinal()], value);
    }

    /** Kernel release by run of the agent: its start, microseconds since the Unix epoch. */
    public SortedMap<Long, String> kernels() {
        return kernels;
    }

    /** Sampling back ends. */
    public SortedSet<String> methods() {
        return methods;
    }

    /** Adds one window of the host. */
    public void add(HostReport report, OptionalLong missingBefore, Saturation saturation) {
        kernels.merge(
                report.sender().agentEpoch(),
                report.shape().kernelRelease(),
                (one, other) -> one.compareTo(other) <= 0 ? one : other);
        methods.add(report.shape().method());
        add(HostCounter.HOST_RECORDS, 1);
        add(HostCounter.FIRST_WINDOW_US, report.windowStartUs());
        add(HostCounter.HEARD_UNTIL_US, report.windowStartUs() + WindowPart.WINDOW_US);
        add(HostCounter.MISSING_HOST_RECORDS, missingBefore.orElse(0));
        add(HostCounter.EXPECTED_SHARD_RECORDS, report.shardRecords());
        addLoad(report, saturation);
        add(HostCounter.CPUS_MAX, report.shape().cpus());
        add(HostCounter.QUOTA_MILLICORES_MAX, report.shape().quotaMillicores());
        add(HostCounter.UNLIMITED_SHARDS_MAX, report.shape().unlimitedShards());
        addAgent(report);
    }

    private void addLoad(HostReport report, Saturation saturation) {
        stated(HostCounter.USAGE_RECORDS, HostCounter.USAGE_US, report.load().usageUs());
        add(HostCounter.SATURATED_WINDOWS, saturation.of(report) ? 1 : 0);
        if (report.load().stealUs().isPresent()) {
            add(HostCounter.STEAL_CAPACITY_US, report.shape().cpus() * WindowPart.WINDOW_US);
            add(HostCounter.STEAL_US, report.load().stealUs().getAsLong());
        }
        stated(HostCounter.IRQ_RECORDS, HostCounter.IRQ_US, report.load().irqUs());
        stated(
                HostCounter.CONTEXT_SWITCH_RECORDS,
                HostCounter.CONTEXT_SWITCHES,
                report.load().contextSwitches());
        stated(HostCounter.THREAD_RECORDS, HostCounter.THREADS, report.load().threads());
        add(HostCounter.THREADS_MAX, report.load().threads().orElse(0));
        stated(
                HostCounter.RUNNABLE_RECORDS,
                HostCounter.RUNNABLE_THREADS,
                report.load().runnableThreads());
        add(HostCounter.RUNNABLE_THREADS_MAX, report.load().runnableThreads().orElse(0));
    }

    private void addAgent(HostReport report) {
        add(HostCounter.AGENT_CPU_US, report.agent().cpuUs());
        stated(HostCounter.BPF_RECORDS, HostCounter.BPF_RUN_US, report.agent().bpfRunUs());
        add(HostCounter.AGENT_RSS_BYTES_MAX, report.agent().rssBytes());
        add(HostCounter.SPOOL_BYTES_MAX, report.agent().spoolBytes());
        add(
                HostCounter.DROPS_MAX,
                report.agent().drops().values().stream().mapToLong(Long::longValue).sum());
        add(HostCounter.OVERFLOW_CGROUPS_MAX, report.overflowCgroups());
        add(HostCounter.SHORT_LIVED_CGROUPS, report.conduct().shortLivedCgroups());
        add(HostCounter.PROTECTION_STEP_MAX, report.conduct().protectionStep());
        add(HostCounter.CLOCK_STEPS, report.conduct().clockSteps());
        add(HostCounter.LATE_WINDOWS, report.conduct().lateWindows());
    }

    private void stated(HostCounter records, HostCounter sum, OptionalLong value) {
        if (value.isPresent()) {
            add(records, 1);
            add(sum, value.getAsLong());
        }
    }

    /** Adds all of another. */
    public void merge(HostTally other) {
        for (HostCounter counter : HostCounter.values()) {
            add(counter, other.count(counter));
        }
        other.kernels.forEach(
                (epoch, release) ->
                        kernels.merge(
                                epoch, release, (one, two) -> one.compareTo(two) <= 0 ? one : two));
        methods.addAll(other.methods);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostTally that
                && Arrays.equals(counts, that.counts)
                && kernels.equals(that.kernels)
                && methods.equals(that.methods);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }
}
