-- The same columns as in what_if_outcomes.
ALTER TABLE quotascope.what_if_latest
    DROP COLUMN IF EXISTS recommended,
    DROP COLUMN IF EXISTS target_reached,
    DROP COLUMN IF EXISTS peak_load_multiple,
    DROP COLUMN IF EXISTS headroom,
    DROP COLUMN IF EXISTS cores_saved_per_shard,
    DROP COLUMN IF EXISTS effort_days;
