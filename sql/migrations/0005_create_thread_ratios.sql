-- One row: threads per reserved core of one service and quota class in one minute (schemas/thread_ratio.avsc).
-- Written by the threads job on every part; a row holds the judgement over all parts up to its own, so readers take the HIGHEST part.
-- ORDER BY puts one service's history together: every reader filters by service first.
CREATE TABLE IF NOT EXISTS quotascope.thread_ratios
(
    origin                                   LowCardinality(String)           COMMENT 'measured, replayed or simulated',
    cluster                                  LowCardinality(String)           COMMENT 'cluster',
    service                                  LowCardinality(String)           COMMENT 'service',
    quota_class                              LowCardinality(String)           COMMENT 'shards with the same quota and period, e.g. 2000m/100ms',
    window_start                             DateTime64(6, 'UTC')             COMMENT 'start of the minute' CODEC(Delta, ZSTD(1)),
    part                                     UInt32                           COMMENT 'arrival slot' CODEC(T64, ZSTD(1)),
    version                                  UInt64                           COMMENT 'reprocessing revision x 2^32 + catalog_version' CODEC(ZSTD(1)),
    catalog_version                          Int64                            CODEC(T64, ZSTD(1)),
    team                                     LowCardinality(Nullable(String)) COMMENT 'team of the catalog entry',
    shards                                   Int32                            COMMENT 'largest record count of a 10 s slot' CODEC(T64, ZSTD(1)),
    completeness                             Nullable(Float64)                COMMENT 'records received / records the hosts say they sent, 0..1' CODEC(ZSTD(1)),
    quota_cores                              Nullable(Float64)                CODEC(ZSTD(1)),
    reserved_cores                           Nullable(Float64)                CODEC(ZSTD(1)),
    threads_per_shard                        Nullable(Float64)                COMMENT 'mean threads of a shard' CODEC(ZSTD(1)),
    threads_per_reserved_core_p50            Nullable(Float64)                COMMENT 'median over records: threads / reserved cores of a shard' CODEC(ZSTD(1)),
    threads_per_reserved_core_p90            Nullable(Float64)                COMMENT '90th percentile of the same' CODEC(ZSTD(1)),
    threads_per_reserved_core_p99            Nullable(Float64)                COMMENT '99th percentile of the same' CODEC(ZSTD(1)),
    runnable_threads_per_reserved_core_p50   Nullable(Float64)                COMMENT 'median over records; null without eBPF' CODEC(ZSTD(1)),
    runnable_threads_per_reserved_core_p90   Nullable(Float64)                COMMENT '90th percentile' CODEC(ZSTD(1)),
    runnable_threads_per_reserved_core_p99   Nullable(Float64)                COMMENT '99th percentile' CODEC(ZSTD(1)),
    runnable_threads_per_reserved_core_low   Nullable(Float64)                COMMENT 'lower bound: only running threads are seen' CODEC(ZSTD(1)),
    runnable_threads_per_reserved_core_high  Nullable(Float64)                COMMENT 'upper bound: threads_per_reserved_core_p99' CODEC(ZSTD(1)),
    worst_shards                             Array(String) COMMENT 'worst first'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, quota_class, window_start, part)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
