-- What recommended changes free, what they take where a service needs more than it has, and net: a total without the second is no budget.
ALTER TABLE quotascope.fleet_totals
    ADD COLUMN IF NOT EXISTS short_classes         Nullable(Int32) COMMENT 'quota classes whose recommended change takes cores beyond what is reserved; null: a version that did not tell' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS freed_cores           Nullable(Float64) COMMENT 'cores that recommended changes free, right-sizing and fixes together' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS freed_cores_low       Nullable(Float64) COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS freed_cores_high      Nullable(Float64) COMMENT '95th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS needed_cores          Nullable(Float64) COMMENT 'cores that recommended changes take, of services that need more than is reserved; positive' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS needed_cores_low      Nullable(Float64) COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS needed_cores_high     Nullable(Float64) COMMENT '95th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_cores             Nullable(Float64) COMMENT 'freed less needed cores' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_cores_low         Nullable(Float64) COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_cores_high        Nullable(Float64) COMMENT '95th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_usd_per_year      Nullable(Float64) COMMENT 'reservation value of the net cores, US dollars a year; null without any price' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_usd_per_year_low  Nullable(Float64) COMMENT '5th percentile of the sum' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS net_usd_per_year_high Nullable(Float64) COMMENT '95th percentile of the sum' CODEC(ZSTD(1));
