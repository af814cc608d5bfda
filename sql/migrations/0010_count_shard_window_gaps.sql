-- How many records of the same run of the same agent the log lacks just before this one: a hole in seq, seen by intake.
-- Null: the first record that the log holds of a run whose number is not 0, and rows written before this migration.
ALTER TABLE quotascope.shard_windows
    ADD COLUMN IF NOT EXISTS missing_before Nullable(Int64) COMMENT 'records of this run that the log lacks just before this one; null: not known' CODEC(T64, ZSTD(1));
