-- One row: one host in one window of 10 s, and what the collector cost there (schemas/host_window.avsc).
-- Written by the ingest job as soon as a record is accepted; a repeated write replaces itself.
-- ORDER BY puts the history of one host together; agent_epoch and seq are the identity of the record.
CREATE TABLE IF NOT EXISTS quotascope.host_windows
(
    host_id                  String                             COMMENT 'stable identity of the host',
    agent_epoch              Int64                              COMMENT 'start of the agent process, microseconds since the Unix epoch' CODEC(T64, ZSTD(1)),
    seq                      Int64                              COMMENT 'number of the record within host_id and agent_epoch' CODEC(T64, ZSTD(1)),
    cluster                  LowCardinality(String)             COMMENT 'the named part of the fleet that the host belongs to',
    origin                   LowCardinality(String)             COMMENT 'measured, replayed or simulated',
    window_start             DateTime64(6, 'UTC')               COMMENT 'start of the half-open window of 10 s' CODEC(Delta, ZSTD(1)),
    samples                  Int32                              COMMENT 'host samples taken in the window' CODEC(T64, ZSTD(1)),
    missed_samples           Int32                              CODEC(T64, ZSTD(1)),
    layout_version           Int32                              CODEC(T64, ZSTD(1)),
    usage_us                 Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    steal_us                 Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    irq_us                   Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    threads                  Nullable(Int64)                    COMMENT 'all tasks of the host at the window''s end' CODEC(T64, ZSTD(1)),
    runnable_threads         Nullable(Int64)                    COMMENT 'tasks runnable at the window''s end' CODEC(T64, ZSTD(1)),
    context_switches         Nullable(Int64)                    COMMENT 'context switches in the window' CODEC(T64, ZSTD(1)),
    cpus                     Int32                              COMMENT 'CPUs online' CODEC(T64, ZSTD(1)),
    quota_millicores         Int64                              CODEC(T64, ZSTD(1)),
    unlimited_shards         Int32                              CODEC(T64, ZSTD(1)),
    share_millicores         Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    kernel_release           LowCardinality(String)             COMMENT 'the kernel''s release string as uname states it',
    cgroup_version           LowCardinality(String)             COMMENT 'hierarchy the collector reads',
    tick_hz                  Nullable(Int32)                    CODEC(T64, ZSTD(1)),
    method                   LowCardinality(String)             COMMENT 'sampling back end in force',
    sampling_uncertainty_us  Int64                              CODEC(T64, ZSTD(1)),
    shard_records            Int32                              CODEC(T64, ZSTD(1)),
    untracked_cgroups        Int32                              CODEC(T64, ZSTD(1)),
    overflow_cgroups         Int32                              CODEC(T64, ZSTD(1)),
    agent_cpu_us             Int64                              CODEC(T64, ZSTD(1)),
    bpf_run_us               Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    agent_rss_bytes          Int64                              CODEC(T64, ZSTD(1)),
    bpf_map_bytes            Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    spool_bytes              Int64                              CODEC(T64, ZSTD(1)),
    drops                    Map(LowCardinality(String), Int64) COMMENT 'records dropped since the agent started, by reason',
    append_time              DateTime64(3, 'UTC')               COMMENT 'when the log took the record' CODEC(Delta, ZSTD(1)),
    part                     UInt32                             COMMENT 'arrival slot of its minute' CODEC(T64, ZSTD(1)),
    version                  UInt64                             COMMENT 'reprocessing revision: the greater one replaces' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, host_id, window_start, agent_epoch, seq)
TTL toDateTime(window_start) + INTERVAL 14 DAY
SETTINGS ttl_only_drop_parts = 1;
