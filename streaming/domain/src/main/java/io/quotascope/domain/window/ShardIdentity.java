package io.quotascope.domain.window;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who a shard is, as sent on discovery and every 10 minutes.
 *
 * @param hostId host
 * @param agentEpoch start of the agent, microseconds since the Unix epoch
 * @param cluster named part of the fleet
 * @param origin where it comes from
 * @param shardId the id that windows carry
 * @param service deployable
 * @param shard name
 * @param observedAtUs when it was read, microseconds since the Unix epoch
 * @param cgroupPath path below the mount point
 * @param incarnation inode of the cgroup directory
 * @param runtime what manages the cgroup
 * @param containerId container; absent when the path names none
 * @param podUid Kubernetes pod; absent when it is not one
 * @param qosClass Kubernetes QoS class; absent when it is no pod
 * @param cpuShares CPU shares or the equivalent of the weight; absent when not readable
 * @param cpusetCpus CPUs it may use; absent without cpuset controller
 * @param labels allow-listed labels
 */
public record ShardIdentity(
        String hostId,
        long agentEpoch,
        String cluster,
        Origin origin,
        long shardId,
        String service,
        String shard,
        long observedAtUs,
        String cgroupPath,
        long incarnation,
        String runtime,
        Optional<String> containerId,
        Optional<String> podUid,
        Optional<String> qosClass,
        OptionalLong cpuShares,
        Optional<String> cpusetCpus,
        Map<String, String> labels) {}
