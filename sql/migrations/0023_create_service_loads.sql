-- One row: requests of one service in one minute, from a system that sees requests (schemas/service_load.avsc).
-- Written by the inputs job from topic service-load.v1; a minute imported anew replaces by its greater version.
-- ORDER BY puts one service's history together: every reader filters by service first.
CREATE TABLE IF NOT EXISTS quotascope.service_loads
(
    origin             LowCardinality(String)  COMMENT 'measured, replayed or simulated',
    cluster            LowCardinality(String)  COMMENT 'cluster',
    service            LowCardinality(String)  COMMENT 'service',
    window_start       DateTime64(6, 'UTC')    COMMENT 'start of the minute' CODEC(Delta, ZSTD(1)),
    window_us          Int64                   CODEC(T64, ZSTD(1)),
    source             LowCardinality(String)  COMMENT 'which system counted',
    requests           Int64                   COMMENT 'requests that ended, retries included' CODEC(T64, ZSTD(1)),
    errors             Nullable(Int64)         COMMENT 'requests that failed, timeouts included' CODEC(T64, ZSTD(1)),
    timeouts           Nullable(Int64)         COMMENT 'requests that their client gave up' CODEC(T64, ZSTD(1)),
    retries            Nullable(Int64)         COMMENT 'requests that were a repetition of one' CODEC(T64, ZSTD(1)),
    latency_bounds_us  Array(Int64)            COMMENT 'upper bounds of the latency buckets, inclusive, microseconds' CODEC(ZSTD(1)),
    latency_requests   Array(Int64)            COMMENT 'requests in each bucket, the last one open' CODEC(T64, ZSTD(1)),
    version            UInt64                  COMMENT 'rises when a minute is imported anew' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, window_start)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
