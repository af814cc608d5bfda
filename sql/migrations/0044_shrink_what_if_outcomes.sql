-- Columns of a recommendation that this job no longer makes. A what-if job of the version before cannot insert from here on: it starts anew with the next.
ALTER TABLE quotascope.what_if_outcomes
    DROP COLUMN IF EXISTS recommended,
    DROP COLUMN IF EXISTS target_reached,
    DROP COLUMN IF EXISTS peak_load_multiple,
    DROP COLUMN IF EXISTS headroom,
    DROP COLUMN IF EXISTS cores_saved_per_shard,
    DROP COLUMN IF EXISTS effort_days;
