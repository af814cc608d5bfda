-- One row: what tuning would free of all services, of a cluster's or of a team's, at one instant (schemas/fleet_total.avsc).
-- Written by the savings job every ten minutes of the log.
CREATE TABLE IF NOT EXISTS quotascope.fleet_totals
(
    origin                    LowCardinality(String) COMMENT 'where the numbers come from',
    total_of                  LowCardinality(String) COMMENT 'whose services are added: fleet, cluster or team',
    total_name                LowCardinality(String) COMMENT 'name of the cluster or team; fleet for all',
    cluster                   LowCardinality(Nullable(String)) COMMENT 'the cluster of a cluster total; null for every cluster',
    team                      LowCardinality(Nullable(String)) COMMENT 'the team of a team total; null for every team',
    window_start              DateTime64(6, 'UTC') COMMENT 'start of the ten minutes that end with the total, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    version                   UInt64 COMMENT 'reprocessing revision x 2^32: the greater one replaces' CODEC(ZSTD(1)),
    services                  Int32 COMMENT 'services with an estimate' CODEC(T64, ZSTD(1)),
    unknown_classes           Int32 COMMENT 'quota classes whose cliff is not known; they add nothing' CODEC(T64, ZSTD(1)),
    unpriced_classes          Int32 COMMENT 'quota classes that add cores and no money' CODEC(T64, ZSTD(1)),
    reserved_cores_total      Float64 COMMENT 'reserved cores of all of them' CODEC(ZSTD(1)),
    right_sizing_cores        Float64 COMMENT 'cores that can go without any fix' CODEC(ZSTD(1)),
    right_sizing_cores_low    Float64 COMMENT '5th percentile' CODEC(ZSTD(1)),
    right_sizing_cores_high   Float64 COMMENT '95th percentile' CODEC(ZSTD(1)),
    reclaimable_cores         Float64 COMMENT 'further cores that the best fixes free, median of the sum' CODEC(ZSTD(1)),
    reclaimable_cores_low     Float64 COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    reclaimable_cores_high    Float64 COMMENT '95th percentile of the sum' CODEC(ZSTD(1)),
    savings_usd_per_year      Nullable(Float64) COMMENT 'reservation value of the reclaimable cores, US dollars a year; null without any price' CODEC(ZSTD(1)),
    savings_usd_per_year_low  Nullable(Float64) COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    savings_usd_per_year_high Nullable(Float64) COMMENT '95th percentile of the sum' CODEC(ZSTD(1)),
    reasons                   Array(String) COMMENT 'what limits the figures, in words' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(window_start)
ORDER BY (origin, total_of, total_name, window_start)
TTL toDateTime(window_start) + INTERVAL 13 MONTH
SETTINGS ttl_only_drop_parts = 1;
