-- One row: all shards of one service and quota class in one minute, from the records of one arrival part (schemas/service_window.avsc).
-- Written by the ingest job when the part closes. Readers ADD the parts of a minute (view quotascope_views.service_windows).
-- ORDER BY puts one service's history together: every reader filters by service first.
CREATE TABLE IF NOT EXISTS quotascope.service_windows
(
    origin                     LowCardinality(String)             COMMENT 'measured, replayed or simulated',
    cluster                    LowCardinality(String)             COMMENT 'cluster',
    service                    LowCardinality(String)             COMMENT 'service',
    quota_class                LowCardinality(String)             COMMENT 'shards with the same quota and period, e.g. 2000m/100ms',
    window_start               DateTime64(6, 'UTC')               COMMENT 'start of the minute' CODEC(Delta, ZSTD(1)),
    part                       UInt32                             COMMENT 'arrival slot' CODEC(T64, ZSTD(1)),
    window_us                  Int64                              CODEC(T64, ZSTD(1)),
    revision                   Int64                              COMMENT 'reprocessing revision: rises with a deliberate recomputation' CODEC(T64, ZSTD(1)),
    quota_us                   Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    period_us                  Nullable(Int64)                    CODEC(T64, ZSTD(1)),
    slot_records               Array(Int32),
    slot_hosts                 Array(Int32)                       COMMENT 'hosts that reported shards of this service and class',
    records                    Int64                              COMMENT 'records of shards in this row' CODEC(T64, ZSTD(1)),
    expected_records           Int64                              CODEC(T64, ZSTD(1)),
    samples                    Int64                              COMMENT 'sum of samples' CODEC(T64, ZSTD(1)),
    missed_samples             Int64                              CODEC(T64, ZSTD(1)),
    lateness_us_max            Int32                              COMMENT 'largest lateness_us_max' CODEC(T64, ZSTD(1)),
    usage_us                   Int64                              CODEC(T64, ZSTD(1)),
    sampled_usage_us           Int64                              CODEC(T64, ZSTD(1)),
    excursion_samples          Int64                              CODEC(T64, ZSTD(1)),
    excursion_us               Int64                              CODEC(T64, ZSTD(1)),
    bandwidth_records          Int64                              CODEC(T64, ZSTD(1)),
    periods                    Int64                              COMMENT 'sum of periods' CODEC(T64, ZSTD(1)),
    throttled_periods          Int64                              CODEC(T64, ZSTD(1)),
    throttled_us               Int64                              CODEC(T64, ZSTD(1)),
    bursts                     Int64                              COMMENT 'sum of bursts' CODEC(T64, ZSTD(1)),
    burst_used_us              Int64                              CODEC(T64, ZSTD(1)),
    throttled_run_records      Int64                              CODEC(T64, ZSTD(1)),
    throttled_runs             Int64                              COMMENT 'sum of throttled_runs' CODEC(T64, ZSTD(1)),
    throttled_run_periods_max  Int32                              COMMENT 'largest throttled_run_periods_max' CODEC(T64, ZSTD(1)),
    throttled_wall_records     Int64                              CODEC(T64, ZSTD(1)),
    throttled_wall_us          Int64                              CODEC(T64, ZSTD(1)),
    layout_version             Int32                              CODEC(T64, ZSTD(1)),
    usage_histogram            String                             COMMENT 'sum of the shards'' usage_histogram' CODEC(ZSTD(3)),
    used_cores_histogram       String                             COMMENT 'distribution over records of a shard''s mean used cores in 10 s' CODEC(ZSTD(3)),
    throttled_ratio_histogram  String                             COMMENT 'distribution over records of throttled_periods / periods' CODEC(ZSTD(3)),
    threads_histogram          Nullable(String)                   COMMENT 'distribution over records of threads in the integer layout' CODEC(ZSTD(3)),
    runnable_histogram         Nullable(String)                   COMMENT 'sum of the shards'' runnable_histogram' CODEC(ZSTD(3)),
    threads_records            Int64                              CODEC(T64, ZSTD(1)),
    threads_sum                Int64                              COMMENT 'sum of threads over records' CODEC(T64, ZSTD(1)),
    threads_max                Int64                              COMMENT 'largest threads of a record' CODEC(T64, ZSTD(1)),
    second_order               String                             COMMENT 'sum of the shards'' second-order sums, same packing' CODEC(ZSTD(3)),
    between_shards             String                             CODEC(ZSTD(3)),
    worst_shards               Array(Tuple(
        shard_id Int64,
        shard String,
        host_id String,
        window_start_us Int64,
        usage_us Int64,
        periods Int64,
        throttled_periods Int64,
        throttled_us Int64,
        threads Nullable(Int64))),
    kernel_host_windows        Map(LowCardinality(String), Int64) COMMENT 'host windows that reported this service and class',
    exemplar                   Nullable(String)                   COMMENT 'exemplar of the record with the smallest hash among those that carry one' CODEC(ZSTD(3)),
    exemplar_hash              Nullable(Int64)                    COMMENT 'hash by which exemplar was chosen' CODEC(ZSTD(1)),
    worst_exemplar             Nullable(String)                   COMMENT 'exemplar of the record with the most throttled_us among those that carry one' CODEC(ZSTD(3)),
    version                    UInt64 DEFAULT revision            COMMENT 'reprocessing revision: the greater one replaces' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, quota_class, window_start, part)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
