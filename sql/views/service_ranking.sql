-- One row: the latest judged minute of a service and quota class: the ranked table.
-- rank_position orders by rank_class, then rank_score descending; the judgement itself is the rank job's.
-- The *_shown columns are the same numbers as words, for a table: an interval where the number was not measured.
CREATE OR REPLACE VIEW quotascope_views.service_ranking
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    row_number() OVER (ORDER BY latest.rank_class, latest.rank_score DESC, latest.origin, latest.cluster, latest.service, latest.quota_class) AS rank_position,
    latest.origin AS origin,
    latest.cluster AS cluster,
    latest.service AS service,
    latest.quota_class AS quota_class,
    latest.window_start AS window_start,
    latest.part AS part,
    latest.version AS version,
    latest.catalog_version AS catalog_version,
    latest.team AS team,
    latest.shards AS shards,
    latest.completeness AS completeness,
    latest.quota_cores AS quota_cores,
    latest.reserved_cores AS reserved_cores,
    latest.horizon_us AS horizon_us,
    latest.horizon_windows AS horizon_windows,
    latest.verdict AS verdict,
    latest.rank_class AS rank_class,
    latest.rank_score AS rank_score,
    latest.throttled_period_ratio AS throttled_period_ratio,
    latest.throttled_us_per_throttled_period AS throttled_us_per_throttled_period,
    latest.excursion_ratio AS excursion_ratio,
    latest.reserved_core_utilization AS reserved_core_utilization,
    latest.used_cores_p99 AS used_cores_p99,
    latest.threads_per_reserved_core AS threads_per_reserved_core,
    threads.runnable_threads_per_reserved_core_p99 AS runnable_threads_per_reserved_core_p99,
    threads.runnable_threads_per_reserved_core_low AS runnable_threads_per_reserved_core_low,
    threads.runnable_threads_per_reserved_core_high AS runnable_threads_per_reserved_core_high,
    multiIf(
        threads.runnable_threads_per_reserved_core_p99 IS NOT NULL,
        toString(round(threads.runnable_threads_per_reserved_core_p99, 2)),
        threads.runnable_threads_per_reserved_core_low IS NOT NULL OR threads.runnable_threads_per_reserved_core_high IS NOT NULL,
        concat('not measured: [', ifNull(toString(round(threads.runnable_threads_per_reserved_core_low, 2)), '?'), ', ',
            ifNull(toString(round(threads.runnable_threads_per_reserved_core_high, 2)), '?'), ']'),
        'not measured') AS runnable_threads_per_reserved_core_shown,
    latest.reclaimable_cores AS reclaimable_cores,
    latest.reclaimable_cores_low AS reclaimable_cores_low,
    latest.reclaimable_cores_high AS reclaimable_cores_high,
    ifNull(concat(toString(round(latest.reclaimable_cores, 2)), ' [', toString(round(latest.reclaimable_cores_low, 2)), ', ', toString(round(latest.reclaimable_cores_high, 2)), ']'), '') AS reclaimable_cores_shown,
    latest.reasons AS reasons,
    arrayStringConcat(latest.reasons, '; ') AS reasons_shown,
    latest.worst_shards AS worst_shards,
    arrayStringConcat(latest.worst_shards, ', ') AS worst_shards_shown
FROM
(
    SELECT *
    FROM quotascope_views.tuning_ranks
    ORDER BY origin, cluster, service, quota_class, window_start DESC
    LIMIT 1 BY origin, cluster, service, quota_class
) AS latest
LEFT JOIN quotascope_views.thread_ratios AS threads
    ON threads.origin = latest.origin AND threads.cluster = latest.cluster AND threads.service = latest.service
    AND threads.quota_class = latest.quota_class AND threads.window_start = latest.window_start;
