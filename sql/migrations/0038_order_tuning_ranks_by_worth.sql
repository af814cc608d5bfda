-- One order of services by the expected worth of their recommended change, and throttling that is the kernel's (schemas/tuning_rank.avsc, version 3).
-- Rows written before have 0 and null, and their rank_score is reserved cores x throttled_period_ratio.
ALTER TABLE quotascope.tuning_ranks
    ADD COLUMN IF NOT EXISTS worth_usd_per_year_per_effort_day    Float64 COMMENT 'the one order of services: expected worth of a day of work on the recommended change' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS stranded_quota_cores                 Nullable(Float64) COMMENT 'quota handed out and certainly not used, cores of all shards: the kernel loses it; null: use explains the throttling' CODEC(ZSTD(1)),
    COMMENT COLUMN rank_score 'cores at stake before anybody has estimated a change: idle while throttled, 0 when the kernel is at fault, or reclaimable_cores';
