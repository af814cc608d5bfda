-- One row: how one service and quota class was throttled in one minute (schemas/throttling_summary.avsc).
-- Written by the throttling job on every part; a row holds the judgement over all parts up to its own, so readers take the HIGHEST part.
-- ORDER BY puts one service's history together: every reader filters by service first.
CREATE TABLE IF NOT EXISTS quotascope.throttling_summaries
(
    origin                             LowCardinality(String)           COMMENT 'measured, replayed or simulated',
    cluster                            LowCardinality(String)           COMMENT 'cluster',
    service                            LowCardinality(String)           COMMENT 'service',
    quota_class                        LowCardinality(String)           COMMENT 'shards with the same quota and period, e.g. 2000m/100ms',
    window_start                       DateTime64(6, 'UTC')             COMMENT 'start of the minute' CODEC(Delta, ZSTD(1)),
    part                               UInt32                           COMMENT 'arrival slot' CODEC(T64, ZSTD(1)),
    version                            UInt64                           COMMENT 'reprocessing revision x 2^32 + catalog_version' CODEC(ZSTD(1)),
    catalog_version                    Int64                            CODEC(T64, ZSTD(1)),
    team                               LowCardinality(Nullable(String)) COMMENT 'team of the catalog entry',
    shards                             Int32                            COMMENT 'largest record count of a 10 s slot' CODEC(T64, ZSTD(1)),
    completeness                       Nullable(Float64)                COMMENT 'records received / records the hosts say they sent, 0..1' CODEC(ZSTD(1)),
    quota_cores                        Nullable(Float64)                CODEC(ZSTD(1)),
    reserved_cores                     Nullable(Float64)                CODEC(ZSTD(1)),
    records                            Int64                            COMMENT 'records merged' CODEC(T64, ZSTD(1)),
    expected_records                   Int64                            CODEC(T64, ZSTD(1)),
    sample_coverage                    Nullable(Float64)                COMMENT 'samples taken of those planned, 0..1' CODEC(ZSTD(1)),
    usage_us                           Int64                            CODEC(T64, ZSTD(1)),
    periods                            Int64                            COMMENT 'periods' CODEC(T64, ZSTD(1)),
    throttled_periods                  Int64                            CODEC(T64, ZSTD(1)),
    throttled_us                       Int64                            CODEC(T64, ZSTD(1)),
    throttled_period_ratio             Nullable(Float64)                CODEC(ZSTD(1)),
    throttled_us_per_throttled_period  Nullable(Float64)                COMMENT 'depth: throttled_us / throttled_periods, microseconds' CODEC(ZSTD(1)),
    throttled_wall_ratio               Nullable(Float64)                CODEC(ZSTD(1)),
    excursion_ratio                    Nullable(Float64)                CODEC(ZSTD(1)),
    used_cores                         Float64                          CODEC(ZSTD(1)),
    used_cores_per_shard               Nullable(Float64)                COMMENT 'mean used cores of one shard' CODEC(ZSTD(1)),
    used_cores_p50                     Nullable(Float64)                COMMENT 'median used cores of one shard in a 10 ms sample' CODEC(ZSTD(1)),
    used_cores_p90                     Nullable(Float64)                COMMENT '90th percentile' CODEC(ZSTD(1)),
    used_cores_p99                     Nullable(Float64)                COMMENT '99th percentile' CODEC(ZSTD(1)),
    used_cores_p999                    Nullable(Float64)                COMMENT '99.9th percentile' CODEC(ZSTD(1)),
    reserved_core_utilization          Nullable(Float64)                COMMENT 'used_cores_per_shard / reserved_cores' CODEC(ZSTD(1)),
    reserved_core_utilization_p50      Nullable(Float64)                COMMENT 'used_cores_p50 / reserved_cores' CODEC(ZSTD(1)),
    reserved_core_utilization_p99      Nullable(Float64)                COMMENT 'used_cores_p99 / reserved_cores' CODEC(ZSTD(1)),
    shard_throttled_ratio_p50          Nullable(Float64)                COMMENT 'median over records of throttled_periods / periods' CODEC(ZSTD(1)),
    shard_throttled_ratio_p90          Nullable(Float64)                COMMENT '90th percentile' CODEC(ZSTD(1)),
    shard_throttled_ratio_p99          Nullable(Float64)                COMMENT '99th percentile' CODEC(ZSTD(1)),
    usage_histogram_cores              Array(Float64)                   CODEC(ZSTD(1)),
    usage_histogram_samples            Array(Int64),
    worst_shards                       Array(String) COMMENT 'worst first'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, quota_class, window_start, part)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
