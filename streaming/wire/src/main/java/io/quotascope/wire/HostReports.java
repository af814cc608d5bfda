package io.quotascope.wire;

import io.quotascope.domain.window.AgentConduct;
import io.quotascope.domain.window.AgentCost;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.CgroupVersion;
import io.quotascope.domain.window.HostLoad;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.HostShape;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ServiceRecords;
import io.quotascope.wire.avro.HostWindow;
import java.util.Optional;
import java.util.TreeMap;

/** HostWindow and its domain form. */
public final class HostReports {
    private HostReports() {}

    /** The domain form; nothing is checked. */
    public static HostReport toDomain(HostWindow avro) {
        return new HostReport(
                new Sender(avro.getHostId(), avro.getAgentEpoch(), avro.getSeq()),
                Nullable.origin(avro.getOrigin()),
                avro.getCluster(),
                avro.getWindowStartUs(),
                load(avro),
                shape(avro),
                avro.getShardRecords(),
                avro.getServiceRecords().stream().map(HostReports::stated).toList(),
                avro.getUntrackedCgroups(),
                avro.getOverflowCgroups(),
                new AgentCost(
                        avro.getAgentCpuUs(),
                        Nullable.optional(avro.getBpfRunUs()),
                        avro.getAgentRssBytes(),
                        Nullable.optional(avro.getBpfMapBytes()),
                        avro.getSpoolBytes(),
                        new TreeMap<>(avro.getDrops())),
                new AgentConduct(
                        avro.getProtectionStep(),
                        Optional.ofNullable(avro.getProtectionReason()),
                        avro.getBudgetSkippedCgroups(),
                        avro.getShortLivedCgroups(),
                        Nullable.optional(avro.getShortLivedUsageUs()),
                        avro.getClockSteps(),
                        avro.getLateWindows()),
                avro.getFirstRecords().stream().map(HostReports::stated).toList());
    }

    private static HostLoad load(HostWindow avro) {
        return new HostLoad(
                avro.getSamples(),
                avro.getMissedSamples(),
                avro.getLayoutVersion(),
                Nullable.optional(avro.getUsageHistogram()),
                Nullable.optional(avro.getUsageUs()),
                Nullable.optional(avro.getStealUs()),
                Nullable.optional(avro.getIrqUs()),
                Nullable.optional(avro.getThreads()),
                Nullable.optional(avro.getRunnableThreads()),
                Nullable.optional(avro.getContextSwitches()));
    }

    private static HostShape shape(HostWindow avro) {
        return new HostShape(
                avro.getCpus(),
                avro.getQuotaMillicores(),
                avro.getUnlimitedShards(),
                Nullable.optional(avro.getShareMillicores()),
                avro.getKernelRelease(),
                version(avro.getCgroupVersion()),
                Nullable.widened(avro.getTickHz()),
                avro.getMethod(),
                avro.getSamplingUncertaintyUs());
    }

    private static ServiceRecords stated(io.quotascope.wire.avro.ServiceRecords avro) {
        return new ServiceRecords(
                avro.getService(),
                new Bandwidth(
                        Nullable.optional(avro.getQuotaUs()),
                        Nullable.optional(avro.getPeriodUs())),
                avro.getShardRecords());
    }

    /** The record as it travels. */
    public static HostWindow toAvro(HostReport report) {
        HostWindow avro = new HostWindow();
        avro.setHostId(report.sender().hostId());
        avro.setAgentEpoch(report.sender().agentEpoch());
        avro.setSeq(report.sender().seq());
        avro.setCluster(report.cluster());
        avro.setOrigin(Nullable.origin(report.origin()));
        avro.setWindowStartUs(report.windowStartUs());
        setLoad(avro, report.load());
        setShape(avro, report.shape());
        avro.setShardRecords(report.shardRecords());
        avro.setServiceRecords(
                report.serviceRecords().stream().map(HostReports::statedToAvro).toList());
        avro.setFirstRecords(
                report.firstRecords().stream().map(HostReports::statedToAvro).toList());
        avro.setUntrackedCgroups(report.untrackedCgroups());
        avro.setOverflowCgroups(report.overflowCgroups());
        avro.setAgentCpuUs(report.agent().cpuUs());
        avro.setBpfRunUs(Nullable.orNull(report.agent().bpfRunUs()));
        avro.setAgentRssBytes(report.agent().rssBytes());
        avro.setBpfMapBytes(Nullable.orNull(report.agent().bpfMapBytes()));
        avro.setSpoolBytes(report.agent().spoolBytes());
        avro.setDrops(new TreeMap<>(report.agent().drops()));
        setConduct(avro, report.conduct());
        return avro;
    }

    private static void setConduct(HostWindow avro, AgentConduct conduct) {
        avro.setProtectionStep(conduct.protectionStep());
        avro.setProtectionReason(conduct.protectionReason().orElse(null));
        avro.setBudgetSkippedCgroups(conduct.budgetSkippedCgroups());
        avro.setShortLivedCgroups(conduct.shortLivedCgroups());
        avro.setShortLivedUsageUs(Nullable.orNull(conduct.shortLivedUsageUs()));
        avro.setClockSteps(conduct.clockSteps());
        avro.setLateWindows(conduct.lateWindows());
    }

    private static void setLoad(HostWindow avro, HostLoad load) {
        avro.setSamples(load.samples());
        avro.setMissedSamples(load.missedSamples());
        avro.setLayoutVersion(load.layoutVersion());
        avro.setUsageHistogram(Nullable.orNull(load.usageHistogram()));
        avro.setUsageUs(Nullable.orNull(load.usageUs()));
        avro.setStealUs(Nullable.orNull(load.stealUs()));
        avro.setIrqUs(Nullable.orNull(load.irqUs()));
        avro.setThreads(Nullable.orNull(load.threads()));
        avro.setRunnableThreads(Nullable.orNull(load.runnableThreads()));
        avro.setContextSwitches(Nullable.orNull(load.contextSwitches()));
    }

    private static void setShape(HostWindow avro, HostShape shape) {
        avro.setCpus(shape.cpus());
        avro.setQuotaMillicores(shape.quotaMillicores());
        avro.setUnlimitedShards(shape.unlimitedShards());
        avro.setShareMillicores(Nullable.orNull(shape.shareMillicores()));
        avro.setKernelRelease(shape.kernelRelease());
        avro.setCgroupVersion(version(shape.cgroupVersion()));
        avro.setTickHz(Nullable.intOrNull(shape.tickHz()));
        avro.setMethod(shape.method());
        avro.setSamplingUncertaintyUs(shape.samplingUncertaintyUs());
    }

    private static io.quotascope.wire.avro.ServiceRecords statedToAvro(ServiceRecords stated) {
        return new io.quotascope.wire.avro.ServiceRecords(
                stated.service(),
                Nullable.orNull(stated.bandwidth().quotaUs()),
                Nullable.orNull(stated.bandwidth().periodUs()),
                stated.shardRecords());
    }

    private static CgroupVersion version(io.quotascope.wire.avro.CgroupVersion version) {
        return switch (version) {
            case v1 -> CgroupVersion.V1;
            case v2 -> CgroupVersion.V2;
            case hybrid -> CgroupVersion.HYBRID;
        };
    }

    private static io.quotascope.wire.avro.CgroupVersion version(CgroupVersion version) {
        return switch (version) {
            case V1 -> io.quotascope.wire.avro.CgroupVersion.v1;
            case V2 -> io.quotascope.wire.avro.CgroupVersion.v2;
            case HYBRID -> io.quotascope.wire.avro.CgroupVersion.hybrid;
        };
    }
}
