-- One row: one scenario of one service and quota class as analysed last: the newest minute, of it the highest part, of it the highest version.
-- Pages about the whole fleet read this instead of the history in what_if_outcomes, which feeds it with every insert.
-- A scenario that the newest analysis no longer has stays behind with an older window_start: readers take the rows of the newest window_start of a service.
-- Not partitioned by time: a service's rows must meet to replace each other.
CREATE TABLE IF NOT EXISTS quotascope.what_if_latest
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
    scenario                           LowCardinality(String)           COMMENT 'the change that was asked about',
    analysed_at_us                     Int64                            COMMENT 'end of the analysed minute' CODEC(T64, ZSTD(1)),
    analysis_trigger                   LowCardinality(String)           COMMENT 'cadence, moved or late_part',
    horizon_us                         Int64                            COMMENT 'length of the horizon of evidence' CODEC(T64, ZSTD(1)),
    horizon_windows                    Int32                            COMMENT 'minutes of the horizon that had rows' CODEC(T64, ZSTD(1)),
    scenario_kind                      LowCardinality(String)           COMMENT 'kind of the change',
    scenario_order                     Int32                            COMMENT 'place in the list, 0 = the setting in force' CODEC(T64, ZSTD(1)),
    scenario_quota_cores               Nullable(Float64)                CODEC(ZSTD(1)),
    scenario_period_us                 Nullable(Int64)                  CODEC(ZSTD(1)),
    scenario_burst_us                  Nullable(Int64)                  CODEC(ZSTD(1)),
    scenario_cap_cores                 Float64                          CODEC(ZSTD(1)),
    scenario_load_multiple             Float64                          COMMENT 'load of one shard / its load now' CODEC(ZSTD(1)),
    baseline_throttled_period_ratio    Float64                          COMMENT 'setting in force, 0..1' CODEC(ZSTD(1)),
    baseline_throttled_period_ratio_low Float64                          COMMENT '5th percentile' CODEC(ZSTD(1)),
    baseline_throttled_period_ratio_high Float64                          COMMENT '95th percentile' CODEC(ZSTD(1)),
    throttled_period_ratio             Float64                          COMMENT 'under the scenario, 0..1' CODEC(ZSTD(1)),
    throttled_period_ratio_low         Float64                          COMMENT '5th percentile' CODEC(ZSTD(1)),
    throttled_period_ratio_high        Float64                          COMMENT '95th percentile' CODEC(ZSTD(1)),
    will_throttle                      Bool                             COMMENT 'true = more than 1 % of periods',
    baseline_stall_us_p99              Float64                          COMMENT 'setting in force, microseconds' CODEC(ZSTD(1)),
    baseline_delay_us_p99              Float64                          COMMENT 'setting in force, microseconds' CODEC(ZSTD(1)),
    stall_us_p50                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    stall_us_p90                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    stall_us_p99                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    delay_us_p50                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    delay_us_p90                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    delay_us_p99                       Float64                          COMMENT 'microseconds' CODEC(ZSTD(1)),
    demand_cores                       Float64                          CODEC(ZSTD(1)),
    trust                              LowCardinality(String)           COMMENT 'sound, doubtful or unusable',
    recommended                        Bool                             COMMENT 'true = the recommended change',
    target_reached                     Nullable(Bool)                   COMMENT 'whether the recommendation reaches the target',
    peak_load_multiple                 Nullable(Float64)                COMMENT 'peak load / load of the horizon' CODEC(ZSTD(1)),
    headroom                           Nullable(Float64)                COMMENT 'collapse load / peak load with the recommendation' CODEC(ZSTD(1)),
    cores_saved_per_shard              Nullable(Float64)                COMMENT 'quota cores a shard no longer needs' CODEC(ZSTD(1)),
    effort_days                        Nullable(Float64)                COMMENT 'work of people, days' CODEC(ZSTD(1)),
    setting_text                       Nullable(String)                 COMMENT 'how to apply it, ready to paste' CODEC(ZSTD(1)),
    reasons                            Array(String)                    COMMENT 'why, in words' CODEC(ZSTD(1)),
    analysis_order                     UInt128 MATERIALIZED bitShiftLeft(toUInt128(intDiv(toUnixTimestamp64Micro(window_start), 60000000)), 96) + bitShiftLeft(toUInt128(part), 64) + version
                                                                        COMMENT 'minute number x 2^96 + part x 2^64 + version: the greatest replaces' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(analysis_order)
ORDER BY (origin, cluster, service, quota_class, scenario)
TTL toDateTime(window_start) + INTERVAL 30 DAY;
