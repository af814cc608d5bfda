-- One row: an alert began, grew worse or ended (schemas/throttling_alert.avsc). Written by the alerts job and the hosts job.
-- The key is the event: of one alert at most one thing happens in a minute.
CREATE TABLE IF NOT EXISTS quotascope.throttling_alerts
(
    origin           LowCardinality(String)           COMMENT 'where the numbers come from',
    cluster          LowCardinality(String)           COMMENT 'cluster',
    service          LowCardinality(Nullable(String)) COMMENT 'service that the alert is about',
    quota_class      LowCardinality(Nullable(String)) COMMENT 'shards with the same quota and period, e.g. 2000m/100ms',
    host_id          Nullable(String)                 COMMENT 'host that the alert is about',
    window_start     DateTime64(6, 'UTC')             COMMENT 'start of the minute that was judged, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    version          UInt64                           COMMENT 'reprocessing revision x 2^32 + catalog_version' CODEC(ZSTD(1)),
    catalog_version  Int64                            CODEC(T64, ZSTD(1)),
    team             LowCardinality(Nullable(String)) COMMENT 'team of the catalog entry',
    shards           Nullable(Int32)                  COMMENT 'shards of the service and class in the minute' CODEC(T64, ZSTD(1)),
    completeness     Nullable(Float64)                COMMENT 'records received / records the hosts say they sent in the minute, 0..1' CODEC(ZSTD(1)),
    quota_cores      Nullable(Float64)                CODEC(ZSTD(1)),
    reserved_cores   Nullable(Float64)                CODEC(ZSTD(1)),
    alert_id         String                           COMMENT 'identity of the alert: a UUID made from kind and scope, the same whenever the same thing is wrong in the same place',
    kind             LowCardinality(String)           COMMENT 'what is wrong',
    severity         LowCardinality(String)           COMMENT 'how urgent it is, at its worst since the alert began',
    state            LowCardinality(String)           COMMENT 'what happened',
    since            DateTime64(6, 'UTC')             COMMENT 'start of the first minute of this occurrence, microseconds since the Unix epoch, UTC; with alert_id it names the occurrence' CODEC(Delta, ZSTD(1)),
    value            Nullable(Float64)                COMMENT 'value judged, in the threshold''s unit' CODEC(ZSTD(1)),
    threshold        Float64                          COMMENT 'threshold passed: that of beginning for firing, that of ending for resolved. Its unit is the kind''s (docs/options/alerts.md)' CODEC(ZSTD(1)),
    reasons          Array(String)                    COMMENT 'why, in words with numbers, most important first',
    remedy           String                           COMMENT 'what to do about it, in words'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, kind, alert_id, window_start)
TTL toDateTime(window_start) + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;
