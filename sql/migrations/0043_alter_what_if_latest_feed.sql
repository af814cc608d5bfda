-- The savings job alone recommends: the feed leaves out what no scenario has, so that the columns can go (0044, 0045).
ALTER TABLE quotascope.what_if_latest_feed MODIFY QUERY
    SELECT * EXCEPT (recommended, target_reached, peak_load_multiple, headroom, cores_saved_per_shard, effort_days) FROM quotascope.what_if_outcomes;
