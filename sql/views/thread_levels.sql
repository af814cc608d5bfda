-- One row: the services above one level of measured runnable threads for each reserved core (99th percentile of the latest minute), their cores and what
-- tuning them is worth. The scope `100 shards and more` is part of `all services`. Services without exact measurement are counted apart, never guessed; where none is measured nothing is known of any level, and null is no 0.
CREATE OR REPLACE VIEW quotascope_views.thread_levels
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    scope,
    level,
    max(window_start) AS window_start,
    if(countIf(measured IS NOT NULL) = 0, NULL, countIf(measured > level)) AS services,
    if(countIf(measured IS NOT NULL) = 0, NULL, ifNull(sumIf(reserved_cores * shards, measured > level), 0)) AS reserved_cores_total,
    if(countIf(measured IS NOT NULL) = 0, NULL, ifNull(sumIf(savings_usd_per_year, measured > level), 0)) AS savings_usd_per_year,
    countIf(measured IS NULL) AS services_not_measured
FROM
(
    SELECT
        origin,
        cluster,
        window_start,
        shards,
        reserved_cores,
        savings_usd_per_year,
        runnable_threads_per_reserved_core_p99 AS measured,
        arrayJoin(if(shards >= 100, ['all services', '100 shards and more'], ['all services'])) AS scope
    FROM quotascope_views.service_latest
)
ARRAY JOIN [1, 2, 5, 10] AS level
GROUP BY origin, cluster, scope, level;
