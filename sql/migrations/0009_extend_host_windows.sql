-- What the collector did without, and what came in its way (schemas/host_window.avsc, version 2).
-- 0 or null in rows of collectors that do not send it yet, and of those written before this migration.
ALTER TABLE quotascope.host_windows
    ADD COLUMN IF NOT EXISTS protection_step         Int32                            COMMENT '0 full, 1 without optional features, 2 also half of the samples, 3 also fewer cgroups' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS protection_reason       LowCardinality(Nullable(String)) COMMENT 'why, in words; null at step 0',
    ADD COLUMN IF NOT EXISTS budget_skipped_cgroups  Int32                            COMMENT 'cgroups left out because of the budget' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS short_lived_cgroups     Int32                            COMMENT 'cgroups that came and went within the window' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS short_lived_usage_us    Nullable(Int64)                  COMMENT 'CPU time of those cgroups' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS clock_steps             Int32                            COMMENT 'steps of the wall clock and suspensions noticed' CODEC(T64, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS late_windows            Int32                            COMMENT 'shard records handed over after their time' CODEC(T64, ZSTD(1));
