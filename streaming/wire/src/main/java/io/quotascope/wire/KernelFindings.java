package io.quotascope.wire;

import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostHour;
import io.quotascope.domain.hosts.HourOfKernel;
import io.quotascope.domain.kernel.HostKernelFinding;
import io.quotascope.domain.kernel.KernelFinding;
import io.quotascope.domain.kernel.RuleVerdict;
import io.quotascope.domain.kernel.ShardHour;
import io.quotascope.domain.kernel.StrandedShards;
import io.quotascope.wire.avro.KernelVerdict;
import io.quotascope.wire.avro.RuleStanding;
import java.util.List;

/** Rows of table kernel_findings. */
public final class KernelFindings {
    private KernelFindings() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.KernelFinding toAvro(HourOfKernel row) {
        HostHour hour = row.hour();
        HostKernelFinding finding = row.finding();
        io.quotascope.wire.avro.KernelFinding avro = new io.quotascope.wire.avro.KernelFinding();
        avro.setOrigin(Nullable.origin(hour.key().origin()));
        avro.setCluster(hour.key().cluster());
        avro.setHostId(hour.key().hostId());
        avro.setWindowStartUs(hour.slice().hourStartUs());
        avro.setWindowUs(ShardHour.HOUR_US);
        avro.setPart(hour.slice().part());
        avro.setVersion(hour.version());
        avro.setKernelRelease(finding.kernelRelease());
        avro.setRule(finding.rule().rule().label());
        avro.setEvidence(finding.rule().rule().evidence());
        avro.setRuleStanding(standing(finding.rule().standing()));
        avro.setVerdict(verdict(finding.verdict()));
        avro.setBehaviouralSignature(finding.signature().orElse(null));
        avro.setCpus((int) hour.count(HostCounter.CPUS_MAX));
        setShards(avro, row.seen());
        avro.setStrandedCores(Nullable.orNull(finding.seen(StrandedShards::cores)));
        avro.setStrandedCoresLow(Nullable.orNull(finding.seen(StrandedShards::coresLow)));
        avro.setStrandedCoresHigh(Nullable.orNull(finding.seen(StrandedShards::coresHigh)));
        avro.setCompleteness(Nullable.orNull(hour.shardCompleteness()));
        avro.setWorstShards(finding.behaviour().map(StrandedShards::worst).orElse(List.of()));
        avro.setReasons(finding.reasons());
        return avro;
    }

    private static void setShards(io.quotascope.wire.avro.KernelFinding avro, StrandedShards seen) {
        avro.setShards(seen.shards().size());
        avro.setShardsThrottled(seen.throttled());
        avro.setShardsStranded(seen.stranded());
        avro.setShardsUnjudged(seen.unjudged());
    }

    private static RuleStanding standing(RuleVerdict.Standing standing) {
        return switch (standing) {
            case APPLIES -> RuleStanding.applies;
            case DOES_NOT_APPLY -> RuleStanding.does_not_apply;
            case UNKNOWN -> RuleStanding.unknown;
        };
    }

    private static KernelVerdict verdict(KernelFinding.Verdict verdict) {
        return switch (verdict) {
            case CONFIRMED -> KernelVerdict.confirmed;
            case AFFECTED_NOT_SEEN -> KernelVerdict.affected_not_seen;
            case BEHAVES_AFFECTED -> KernelVerdict.behaves_affected;
            case UNEXPLAINED -> KernelVerdict.unexplained;
            case NOT_SEEN -> KernelVerdict.not_seen;
            case SOUND -> KernelVerdict.sound;
        };
    }
}
