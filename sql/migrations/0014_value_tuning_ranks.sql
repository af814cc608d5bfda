-- What tuning a service is worth: the change, its cores and dollars with intervals, work, probability and risk (schemas/tuning_rank.avsc, version 2).
-- Null in rows judged before the first savings estimate, and in those written before this migration.
ALTER TABLE quotascope.tuning_ranks
    ADD COLUMN IF NOT EXISTS setting_text                         Nullable(String) COMMENT 'the change that is worth most for a day of work, as lines to apply',
    ADD COLUMN IF NOT EXISTS fix_set                              LowCardinality(Nullable(String)) COMMENT 'kinds of the changes in it',
    ADD COLUMN IF NOT EXISTS tunable_cores                        Nullable(Float64) COMMENT 'cores that it frees, all shards' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS tunable_cores_low                    Nullable(Float64) COMMENT '5th percentile' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS tunable_cores_high                   Nullable(Float64) COMMENT '95th percentile' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS savings_usd_per_year                 Nullable(Float64) COMMENT 'what these cores are priced at, US dollars a year' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS savings_usd_per_year_low             Nullable(Float64) COMMENT '5th percentile' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS savings_usd_per_year_high            Nullable(Float64) COMMENT '95th percentile' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS success_probability                  Nullable(Float64) COMMENT 'probability that the change is made and stays, 0..1' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS effort_days                          Nullable(Float64) COMMENT 'work of people, days' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS savings_usd_per_year_per_effort_day  Nullable(Float64) COMMENT 'savings_usd_per_year x success_probability / effort_days: the order of services' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS risk_removed                         Nullable(Float64) COMMENT 'death-spiral risk now minus after the change, 0..1' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS death_spiral_risk                    Nullable(Float64) COMMENT 'probability of collapse over the horizon of its own row, 0..1' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS savings_analysed_at_us               Nullable(Int64) COMMENT 'which savings estimate: end of the window it was made from, microseconds since the Unix epoch, UTC' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS risk_analysed_at_us                  Nullable(Int64) COMMENT 'which judgement of risk: end of the window it was made from, microseconds since the Unix epoch, UTC' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS value_reasons                        Array(String) COMMENT 'value, work and risk of the change in words, or what is missing to know them';
