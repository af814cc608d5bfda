-- What a limit above the shard did to it, and where the shard stands (schemas/cpu_usage_window.avsc, version 2).
-- Null in rows of collectors that do not send it yet, and of those written before this migration.
ALTER TABLE quotascope.shard_windows
    ADD COLUMN IF NOT EXISTS nearest_ancestor_quota_us   Nullable(Int64) CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS nearest_ancestor_period_us  Nullable(Int64) CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS ancestor_periods            Nullable(Int64) COMMENT 'enforcement periods elapsed at the tightest ancestor' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS ancestor_throttled_periods  Nullable(Int64) COMMENT 'of those, periods whose end found it throttled' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS ancestor_throttled_us       Nullable(Int64) COMMENT 'its throttled time, summed over CPUs' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS cpus_allowed                Nullable(Int32) COMMENT 'CPUs that the cpuset allows' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS period_phase_us             Nullable(Int32) COMMENT 'instant of the period ends modulo the period, on the monotonic clock' CODEC(T64, ZSTD(1));
