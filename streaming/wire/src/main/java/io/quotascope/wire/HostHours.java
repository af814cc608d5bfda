package io.quotascope.wire;

import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostHour;
import io.quotascope.domain.kernel.ShardHour;
import java.util.List;
import java.util.TreeSet;

/** Rows of table host_hours. */
public final class HostHours {
    private HostHours() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.HostHour toAvro(HostHour hour) {
        io.quotascope.wire.avro.HostHour avro = new io.quotascope.wire.avro.HostHour();
        avro.setOrigin(Nullable.origin(hour.key().origin()));
        avro.setCluster(hour.key().cluster());
        avro.setHostId(hour.key().hostId());
        avro.setWindowStartUs(hour.slice().hourStartUs());
        avro.setWindowUs(ShardHour.HOUR_US);
        avro.setPart(hour.slice().part());
        avro.setVersion(hour.version());
        avro.setKernelReleases(List.copyOf(new TreeSet<>(hour.tally().kernels().values())));
        avro.setMethods(List.copyOf(hour.tally().methods()));
        avro.setCpus(hour.cpus());
        avro.setAgentStarts(hour.tally().kernels().size());
        setRecords(avro, hour);
        setLoad(avro, hour);
        setThreads(avro, hour);
        setAgent(avro, hour);
        return avro;
    }

    private static void setRecords(io.quotascope.wire.avro.HostHour avro, HostHour hour) {
        avro.setHostRecords(hour.count(HostCounter.HOST_RECORDS));
        avro.setExpectedHostRecords(hour.expectedHostRecords());
        avro.setShardRecords(hour.count(HostCounter.SHARD_RECORDS));
        avro.setExpectedShardRecords(hour.count(HostCounter.EXPECTED_SHARD_RECORDS));
        avro.setCompleteness(hour.completeness());
        avro.setMissingHostRecords(hour.count(HostCounter.MISSING_HOST_RECORDS));
        avro.setMissingShardRecords(hour.count(HostCounter.MISSING_SHARD_RECORDS));
        avro.setFirstHeardUs(Nullable.orNull(hour.firstHeardUs()));
        avro.setHeardUntilUs(Nullable.orNull(hour.heardUntilUs()));
    }

    private static void setLoad(io.quotascope.wire.avro.HostHour avro, HostHour hour) {
        avro.setUsageUs(
                Nullable.orNull(hour.stated(HostCounter.USAGE_US, HostCounter.USAGE_RECORDS)));
        avro.setUsedCores(Nullable.orNull(hour.usedCores()));
        avro.setCpuUtilization(Nullable.orNull(hour.utilization()));
        avro.setSaturatedWindows(hour.count(HostCounter.SATURATED_WINDOWS));
        avro.setSaturatedRatio(Nullable.orNull(hour.saturatedRatio()));
        avro.setStealUs(
                Nullable.orNull(hour.stated(HostCounter.STEAL_US, HostCounter.STEAL_CAPACITY_US)));
        avro.setStealRatio(Nullable.orNull(hour.stealRatio()));
        avro.setIrqUs(Nullable.orNull(hour.stated(HostCounter.IRQ_US, HostCounter.IRQ_RECORDS)));
        avro.setContextSwitches(
                Nullable.orNull(
                        hour.stated(
                                HostCounter.CONTEXT_SWITCHES, HostCounter.CONTEXT_SWITCH_RECORDS)));
        avro.setQuotaMillicoresMax(hour.count(HostCounter.QUOTA_MILLICORES_MAX));
        avro.setUnlimitedShardsMax((int) hour.count(HostCounter.UNLIMITED_SHARDS_MAX));
    }

    private static void setThreads(io.quotascope.wire.avro.HostHour avro, HostHour hour) {
        avro.setThreads(Nullable.orNull(hour.threads()));
        avro.setThreadsMax(
                Nullable.orNull(hour.stated(HostCounter.THREADS_MAX, HostCounter.THREAD_RECORDS)));
        avro.setThreadsPerCpu(Nullable.orNull(hour.perCpu(hour.threads())));
        avro.setRunnableThreads(Nullable.orNull(hour.runnableThreads()));
        avro.setRunnableThreadsMax(
                Nullable.orNull(
                        hour.stated(
                                HostCounter.RUNNABLE_THREADS_MAX, HostCounter.RUNNABLE_RECORDS)));
        avro.setRunnableThreadsPerCpu(Nullable.orNull(hour.perCpu(hour.runnableThreads())));
    }

    private static void setAgent(io.quotascope.wire.avro.HostHour avro, HostHour hour) {
        avro.setAgentCpuUs(hour.count(HostCounter.AGENT_CPU_US));
        avro.setBpfRunUs(
                Nullable.orNull(hour.stated(HostCounter.BPF_RUN_US, HostCounter.BPF_RECORDS)));
        avro.setAgentCpuRatio(hour.agentCpuRatio());
        avro.setAgentRssBytesMax(hour.count(HostCounter.AGENT_RSS_BYTES_MAX));
        avro.setSpoolBytesMax(hour.count(HostCounter.SPOOL_BYTES_MAX));
        avro.setDropsMax(hour.count(HostCounter.DROPS_MAX));
        avro.setOverflowCgroupsMax((int) hour.count(HostCounter.OVERFLOW_CGROUPS_MAX));
        avro.setShortLivedCgroups(hour.count(HostCounter.SHORT_LIVED_CGROUPS));
        avro.setProtectionStepMax((int) hour.count(HostCounter.PROTECTION_STEP_MAX));
        avro.setClockSteps(hour.count(HostCounter.CLOCK_STEPS));
        avro.setLateWindows(hour.count(HostCounter.LATE_WINDOWS));
    }
}
