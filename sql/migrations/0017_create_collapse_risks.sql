-- One row: how near one service and quota class is to the death spiral in one minute (schemas/collapse_risk.avsc).
-- Every minute has a row; the cliff in it comes from the analysis of that minute or of an earlier one (analysed_at_us).
-- Written by the risk job on every part; a row holds the judgement over all parts up to its own, so readers take the HIGHEST part.
CREATE TABLE IF NOT EXISTS quotascope.collapse_risks
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
    analysed_at_us                     Nullable(Int64)                  COMMENT 'end of the minute whose analysis gave the cliff' CODEC(ZSTD(1)),
    analysis_trigger                   LowCardinality(Nullable(String)) COMMENT 'cadence, moved or late_part; null = the cliff is that of an earlier minute',
    evidence_us                        Nullable(Int64)                  CODEC(ZSTD(1)),
    evidence_windows                   Nullable(Int32)                  COMMENT 'minutes of the horizon of the analysis that had rows' CODEC(ZSTD(1)),
    risk_band                          LowCardinality(String)           COMMENT 'stable, vulnerable, collapsed or unknown',
    horizon_us                         Int64                            COMMENT 'how far death_spiral_risk looks ahead' CODEC(T64, ZSTD(1)),
    death_spiral_risk                  Nullable(Float64)                COMMENT 'probability of collapse within horizon_us, 0..1' CODEC(ZSTD(1)),
    load_growth_expected               Nullable(Float64)                COMMENT 'greatest load of the horizon / load of this minute' CODEC(ZSTD(1)),
    load_growth_log_deviation          Nullable(Float64)                COMMENT 'standard error of the logarithm of load_growth_expected' CODEC(ZSTD(1)),
    load_history_hours                 Int32                            COMMENT 'hours of the last 15 days whose load is known' CODEC(T64, ZSTD(1)),
    collapse_load_multiple             Nullable(Float64)                COMMENT 'multiple of this minute''s load at which the service collapses' CODEC(ZSTD(1)),
    collapse_load_multiple_low         Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    collapse_load_multiple_high        Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    collapse_beyond                    Nullable(Bool)                   COMMENT 'true = the multiple is the end of the range that was searched',
    hottest_shard_collapse_load_multiple Nullable(Float64)                COMMENT 'the same for the shard with the most load' CODEC(ZSTD(1)),
    hottest_shard_collapse_load_multiple_low Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    hottest_shard_collapse_load_multiple_high Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    gain_from_balancing                Nullable(Float64)                COMMENT 'collapse load if every shard had the same load / collapse load now' CODEC(ZSTD(1)),
    recovery_load_multiple             Nullable(Float64)                COMMENT 'multiple of this minute''s load below which a pulse passes' CODEC(ZSTD(1)),
    recovery_load_multiple_low         Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    recovery_load_multiple_high        Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    shard_load_deviation               Nullable(Float64)                COMMENT 'standard deviation / mean of the load of shards' CODEC(ZSTD(1)),
    redistribution                     LowCardinality(Nullable(String)) COMMENT 'eject or stay: what clients do with the load of a collapsed shard',
    timeout_us                         Nullable(Int64)                  CODEC(ZSTD(1)),
    retries                            Nullable(Int32)                  COMMENT 'retries that were used' CODEC(ZSTD(1)),
    clients_assumed                    Nullable(Bool)                   COMMENT 'true = timeout and retries are assumed',
    alarm                              Bool                             COMMENT 'true = too near the cliff, or too much throttled',
    headroom                           Nullable(Float64)                COMMENT 'collapse load / load of this minute' CODEC(ZSTD(1)),
    used_cores_per_shard               Nullable(Float64)                COMMENT 'load of this minute' CODEC(ZSTD(1)),
    throttled_period_ratio             Nullable(Float64)                CODEC(ZSTD(1)),
    throttled_run_periods_max          Int32                            CODEC(T64, ZSTD(1)),
    worst_shard                        Nullable(String)                 COMMENT 'shard whose raw samples were judged by themselves' CODEC(ZSTD(1)),
    worst_shard_collapse_load_multiple Nullable(Float64)                COMMENT 'multiple of its own load at which that shard collapses' CODEC(ZSTD(1)),
    worst_shard_collapse_load_multiple_low Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    worst_shard_collapse_load_multiple_high Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    reasons                            Array(String)                    COMMENT 'why, in words' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(window_start)
ORDER BY (origin, cluster, service, quota_class, window_start, part)
TTL toDateTime(window_start) + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1;
