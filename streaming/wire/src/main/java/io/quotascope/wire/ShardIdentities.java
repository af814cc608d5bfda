package io.quotascope.wire;

import io.quotascope.domain.window.ShardIdentity;
import java.util.Optional;
import java.util.TreeMap;

/** ShardIdentity and its domain form. */
public final class ShardIdentities {
    private ShardIdentities() {}

    /** The domain form. */
    public static ShardIdentity toDomain(io.quotascope.wire.avro.ShardIdentity avro) {
        return new ShardIdentity(
                avro.getHostId(),
                avro.getAgentEpoch(),
                avro.getCluster(),
                Nullable.origin(avro.getOrigin()),
                avro.getShardId(),
                avro.getService(),
                avro.getShard(),
                avro.getObservedAtUs(),
                avro.getCgroupPath(),
                avro.getIncarnation(),
                avro.getRuntime(),
                Optional.ofNullable(avro.getContainerId()),
                Optional.ofNullable(avro.getPodUid()),
                Optional.ofNullable(avro.getQosClass()),
                Nullable.optional(avro.getCpuShares()),
                Optional.ofNullable(avro.getCpusetCpus()),
                new TreeMap<>(avro.getLabels()));
    }

    /** The record as it travels. */
    public static io.quotascope.wire.avro.ShardIdentity toAvro(ShardIdentity identity) {
        io.quotascope.wire.avro.ShardIdentity avro = new io.quotascope.wire.avro.ShardIdentity();
        avro.setHostId(identity.hostId());
        avro.setAgentEpoch(identity.agentEpoch());
        avro.setCluster(identity.cluster());
        avro.setOrigin(Nullable.origin(identity.origin()));
        avro.setShardId(identity.shardId());
        avro.setService(identity.service());
        avro.setShard(identity.shard());
        avro.setObservedAtUs(identity.observedAtUs());
        avro.setCgroupPath(identity.cgroupPath());
        avro.setIncarnation(identity.incarnation());
        avro.setRuntime(identity.runtime());
        avro.setContainerId(identity.containerId().orElse(null));
        avro.setPodUid(identity.podUid().orElse(null));
        avro.setQosClass(identity.qosClass().orElse(null));
        avro.setCpuShares(Nullable.orNull(identity.cpuShares()));
        avro.setCpusetCpus(identity.cpusetCpus().orElse(null));
        avro.setLabels(new TreeMap<>(identity.labels()));
        return avro;
    }
}
