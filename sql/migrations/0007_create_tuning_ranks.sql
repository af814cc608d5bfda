-- One row: which place one service and quota class takes among those to look at, and why (schemas/tuning_rank.avsc).
-- Written by the rank job on every part; a row holds the judgement over all parts up to its own, so readers take the HIGHEST part.
-- ORDER BY puts one service's history together: every reader filters by service first.
CREATE TABLE IF NOT EXISTS quotascope.tuning_ranks
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
    horizon_us                         Int64                            CODEC(T64, ZSTD(1)),
    horizon_windows                    Int32                            COMMENT 'minutes of the horizon that had rows' CODEC(T64, ZSTD(1)),
    verdict                            LowCardinality(String)           COMMENT 'throttled, give_back, healthy or unknown',
    rank_class                         Int32                            COMMENT '1 = throttled, 2 = give_back, 3 = healthy, 4 = unknown' CODEC(T64, ZSTD(1)),
    rank_score                         Float64                          COMMENT 'order within a rank_class, greater first, in cores' CODEC(ZSTD(1)),
    throttled_period_ratio             Nullable(Float64)                CODEC(ZSTD(1)),
    throttled_us_per_throttled_period  Nullable(Float64)                COMMENT 'depth over the horizon, microseconds' CODEC(ZSTD(1)),
    excursion_ratio                    Nullable(Float64)                CODEC(ZSTD(1)),
    reserved_core_utilization          Nullable(Float64)                COMMENT 'mean used / reserved cores over the horizon' CODEC(ZSTD(1)),
    used_cores_p99                     Nullable(Float64)                COMMENT '99th percentile of used cores of one shard in a 10 ms sample over the horizon' CODEC(ZSTD(1)),
    threads_per_reserved_core          Nullable(Float64)                COMMENT 'mean threads of a shard / reserved cores over the horizon' CODEC(ZSTD(1)),
    reclaimable_cores                  Nullable(Float64)                CODEC(ZSTD(1)),
    reclaimable_cores_low              Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    reclaimable_cores_high             Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    reasons                            Array(String)                    COMMENT 'why, in words, most important first',
    worst_shards                       Array(String) COMMENT 'worst first'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, quota_class, window_start, part)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
