-- One row: one host in one hour (schemas/host_hour.avsc). Written by the hosts job on every part;
-- a row covers all parts up to its own, so readers take the HIGHEST part.
CREATE TABLE IF NOT EXISTS quotascope.host_hours
(
    origin                    LowCardinality(String) COMMENT 'where the numbers come from',
    cluster                   LowCardinality(String) COMMENT 'cluster',
    host_id                   String                 COMMENT 'host',
    window_start              DateTime64(6, 'UTC')   COMMENT 'start of the hour, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    window_us                 Int64                  CODEC(T64, ZSTD(1)),
    part                      UInt32                 COMMENT 'which slot of arrival the row closes: 0 = appended to the log until 30 s after the hour''s end, else floor(append time / 15 min). A part 0 is written every ten minutes while the hour passes' CODEC(T64, ZSTD(1)),
    version                   UInt64                 COMMENT 'reprocessing revision x 2^32 + how many ten minutes of the hour had passed, 1 to 6' CODEC(ZSTD(1)),
    kernel_releases           Array(String)          COMMENT 'kernel releases stated in the hour, ascending; more than one after an upgrade',
    methods                   Array(String)          COMMENT 'sampling back ends in force in the hour, ascending',
    cpus                      Int32                  COMMENT 'cPUs online, the most stated' CODEC(T64, ZSTD(1)),
    host_records              Int64                  CODEC(T64, ZSTD(1)),
    expected_host_records     Int64                  CODEC(T64, ZSTD(1)),
    shard_records             Int64                  CODEC(T64, ZSTD(1)),
    expected_shard_records    Int64                  CODEC(T64, ZSTD(1)),
    completeness              Float64                COMMENT 'windows received / windows expected, 0..1: the smaller one of host windows and shard windows' CODEC(ZSTD(1)),
    missing_host_records      Int64                  CODEC(T64, ZSTD(1)),
    missing_shard_records     Int64                  CODEC(T64, ZSTD(1)),
    usage_us                  Nullable(Int64)        CODEC(T64, ZSTD(1)),
    used_cores                Nullable(Float64)      CODEC(ZSTD(1)),
    cpu_utilization           Nullable(Float64)      COMMENT 'used_cores / CPUs online, 0..1' CODEC(ZSTD(1)),
    saturated_windows         Int64                  COMMENT 'windows of 10 s in which the host was saturated: use above the threshold''s share of its CPUs (docs/options/alerts.md)' CODEC(T64, ZSTD(1)),
    saturated_ratio           Nullable(Float64)      CODEC(ZSTD(1)),
    steal_us                  Nullable(Int64)        CODEC(T64, ZSTD(1)),
    steal_ratio               Nullable(Float64)      CODEC(ZSTD(1)),
    irq_us                    Nullable(Int64)        CODEC(T64, ZSTD(1)),
    context_switches          Nullable(Int64)        COMMENT 'context switches' CODEC(T64, ZSTD(1)),
    threads                   Nullable(Float64)      COMMENT 'mean of the threads stated at the windows'' ends' CODEC(ZSTD(1)),
    threads_max               Nullable(Int64)        COMMENT 'most threads stated' CODEC(T64, ZSTD(1)),
    threads_per_cpu           Nullable(Float64)      COMMENT 'threads / CPUs online' CODEC(ZSTD(1)),
    runnable_threads          Nullable(Float64)      COMMENT 'mean of the runnable threads stated at the windows'' ends' CODEC(ZSTD(1)),
    runnable_threads_max      Nullable(Int64)        COMMENT 'most runnable threads stated' CODEC(T64, ZSTD(1)),
    runnable_threads_per_cpu  Nullable(Float64)      COMMENT 'runnable_threads / CPUs online' CODEC(ZSTD(1)),
    quota_millicores_max      Int64                  CODEC(T64, ZSTD(1)),
    unlimited_shards_max      Int32                  CODEC(T64, ZSTD(1)),
    agent_cpu_us              Int64                  CODEC(T64, ZSTD(1)),
    bpf_run_us                Nullable(Int64)        CODEC(T64, ZSTD(1)),
    agent_cpu_ratio           Float64                CODEC(ZSTD(1)),
    agent_rss_bytes_max       Int64                  CODEC(T64, ZSTD(1)),
    spool_bytes_max           Int64                  CODEC(T64, ZSTD(1)),
    drops_max                 Int64                  COMMENT 'most records dropped, over all reasons, that one window states; counted since the agent''s start' CODEC(T64, ZSTD(1)),
    overflow_cgroups_max      Int32                  CODEC(T64, ZSTD(1)),
    short_lived_cgroups       Int64                  CODEC(T64, ZSTD(1)),
    protection_step_max       Int32                  COMMENT 'most that the agent did without: 0 = nothing .. 3 = fewer cgroups' CODEC(T64, ZSTD(1)),
    clock_steps               Int64                  COMMENT 'steps of the wall clock and suspensions noticed' CODEC(T64, ZSTD(1)),
    late_windows              Int64                  COMMENT 'shard windows handed over after their time' CODEC(T64, ZSTD(1)),
    agent_starts              Int32                  COMMENT 'runs of the agent heard in the hour; more than 1 = it was started anew' CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(window_start)
ORDER BY (origin, cluster, host_id, window_start, part)
TTL toDateTime(window_start) + INTERVAL 13 MONTH
SETTINGS ttl_only_drop_parts = 1;
