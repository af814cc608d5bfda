-- One row: who a shard is, as last observed (schemas/shard_identity.avsc).
-- Written by the ingest job; the later observation replaces the earlier one.
-- ORDER BY is the identity of a shard: a cgroup made again under the same path has another shard_id.
-- PARTITION BY the shard, not by the day: an observation of tomorrow must meet the one of today to replace it.
CREATE TABLE IF NOT EXISTS quotascope.shard_identities
(
    host_id       String                             COMMENT 'host',
    agent_epoch   Int64                              COMMENT 'start of the agent process, microseconds since the Unix epoch' CODEC(T64, ZSTD(1)),
    cluster       LowCardinality(String)             COMMENT 'cluster',
    origin        LowCardinality(String)             COMMENT 'measured, replayed or simulated',
    shard_id      Int64                              COMMENT 'the shard_id of CpuUsageWindow' CODEC(ZSTD(1)),
    service       LowCardinality(String)             COMMENT 'service',
    shard         String                             COMMENT 'shard',
    observed_at   DateTime64(6, 'UTC')               COMMENT 'when this was read' CODEC(Delta, ZSTD(1)),
    cgroup_path   String                             COMMENT 'path below the hierarchy''s mount point',
    incarnation   Int64                              COMMENT 'inode of the cgroup directory' CODEC(ZSTD(1)),
    runtime       LowCardinality(String)             COMMENT 'what manages the cgroup: kubernetes, docker, containerd, podman',
    container_id  Nullable(String)                   COMMENT 'container id',
    pod_uid       Nullable(String)                   COMMENT 'kubernetes pod uid',
    qos_class     LowCardinality(Nullable(String))   COMMENT 'kubernetes QoS class',
    cpu_shares    Nullable(Int64)                    COMMENT 'cpu.shares' CODEC(T64, ZSTD(1)),
    cpuset_cpus   Nullable(String)                   COMMENT 'CPUs the cgroup may use, as the kernel lists them',
    labels        Map(LowCardinality(String), String) COMMENT 'allow-listed labels of the container'
)
ENGINE = ReplacingMergeTree(observed_at)
PARTITION BY intHash32(shard_id) % 4
ORDER BY (origin, cluster, host_id, shard_id)
TTL toDateTime(observed_at) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 0;
