-- One row: one shard in one window of 10 s, its counters without the distributions (schemas/cpu_usage_window.avsc).
-- Written by the ingest job as soon as a record is accepted; a repeated write replaces itself.
-- ORDER BY puts the history of one shard together: readers filter by service, then by shard; neighbours compress.
-- The tail of the key (host_id, agent_epoch, seq) is the identity of the record itself, so nothing but a repetition collapses.
CREATE TABLE IF NOT EXISTS quotascope.shard_windows
(
    host_id                    String                 COMMENT 'stable identity of the host',
    agent_epoch                Int64                  COMMENT 'start of the agent process, microseconds since the Unix epoch' CODEC(T64, ZSTD(1)),
    seq                        Int64                  COMMENT 'number of the record within host_id and agent_epoch' CODEC(T64, ZSTD(1)),
    cluster                    LowCardinality(String) COMMENT 'the named part of the fleet that the host belongs to',
    origin                     LowCardinality(String) COMMENT 'measured, replayed or simulated',
    window_start               DateTime64(6, 'UTC')   COMMENT 'start of the half-open window of 10 s' CODEC(Delta, ZSTD(1)),
    shard_id                   Int64                  COMMENT 'stable 64-bit hash of host, cgroup path and incarnation' CODEC(ZSTD(1)),
    service                    LowCardinality(String) COMMENT 'the deployable that the shard is a copy of',
    shard                      String                 COMMENT 'name of the shard within its service and cluster',
    quota_class                LowCardinality(String) COMMENT 'quota and period, e.g. 2000m/100ms; unlimited; none',
    sample_interval_us         Int32                  CODEC(T64, ZSTD(1)),
    samples                    Int32                  COMMENT 'samples taken in this window' CODEC(T64, ZSTD(1)),
    missed_samples             Int32                  CODEC(T64, ZSTD(1)),
    lateness_us_max            Int32                  COMMENT 'largest distance of a sample from its planned instant' CODEC(T64, ZSTD(1)),
    method                     LowCardinality(String) COMMENT 'how usage per sample was obtained',
    usage_us                   Int64                  CODEC(T64, ZSTD(1)),
    sampled_usage_us           Int64                  CODEC(T64, ZSTD(1)),
    layout_version             Int32                  CODEC(T64, ZSTD(1)),
    excursion_samples          Nullable(Int32)        CODEC(T64, ZSTD(1)),
    excursion_us               Nullable(Int64)        CODEC(T64, ZSTD(1)),
    quota_us                   Nullable(Int64)        CODEC(T64, ZSTD(1)),
    period_us                  Nullable(Int64)        CODEC(T64, ZSTD(1)),
    burst_us                   Nullable(Int64)        CODEC(T64, ZSTD(1)),
    ancestor_quota_us          Nullable(Int64)        CODEC(T64, ZSTD(1)),
    ancestor_period_us         Nullable(Int64)        CODEC(T64, ZSTD(1)),
    periods                    Nullable(Int64)        COMMENT 'enforcement periods elapsed with the group active' CODEC(T64, ZSTD(1)),
    throttled_periods          Nullable(Int64)        CODEC(T64, ZSTD(1)),
    throttled_us               Nullable(Int64)        CODEC(T64, ZSTD(1)),
    bursts                     Nullable(Int64)        COMMENT 'periods in which burst was used' CODEC(T64, ZSTD(1)),
    burst_used_us              Nullable(Int64)        CODEC(T64, ZSTD(1)),
    throttled_runs             Nullable(Int32)        COMMENT 'runs of consecutive throttled periods that ended or continue in the window' CODEC(T64, ZSTD(1)),
    throttled_run_periods_max  Nullable(Int32)        COMMENT 'longest such run that ended or continues in the window' CODEC(T64, ZSTD(1)),
    throttled_wall_us          Nullable(Int64)        CODEC(T64, ZSTD(1)),
    threads                    Nullable(Int64)        COMMENT 'all tasks of the cgroup and its descendants at the window''s end' CODEC(T64, ZSTD(1)),
    cycles_below_quota         Nullable(Int64)        COMMENT 'CPU cycles in samples at or below quota' CODEC(T64, ZSTD(1)),
    cycles_above_quota         Nullable(Int64)        COMMENT 'CPU cycles in samples above quota' CODEC(T64, ZSTD(1)),
    instructions_below_quota   Nullable(Int64)        COMMENT 'instructions in samples at or below quota' CODEC(T64, ZSTD(1)),
    instructions_above_quota   Nullable(Int64)        COMMENT 'instructions in samples above quota' CODEC(T64, ZSTD(1)),
    append_time                DateTime64(3, 'UTC')   COMMENT 'when the log took the record' CODEC(Delta, ZSTD(1)),
    part                       UInt32                 COMMENT 'arrival slot of its minute' CODEC(T64, ZSTD(1)),
    version                    UInt64                 COMMENT 'reprocessing revision: the greater one replaces' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, shard, shard_id, window_start, host_id, agent_epoch, seq)
TTL toDateTime(window_start) + INTERVAL 14 DAY
SETTINGS ttl_only_drop_parts = 1;
