-- One row: the services of one team, cluster and origin as they were heard of last: how many, how much of the last hour arrived, who fell silent.
-- Every page shows it: it says where the numbers come from and what is missing from them.
CREATE OR REPLACE VIEW quotascope_views.coverage
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    latest.origin AS origin,
    multiIf(
        latest.origin = 'measured', 'read from a kernel while it happened',
        latest.origin = 'replayed', 'NOT MEASURED NOW: a recorded trace, re-stamped',
        'NOT MEASURED: made by a model') AS origin_meaning,
    latest.cluster AS cluster,
    latest.team AS team,
    max(latest.window_start) AS window_start,
    min(latest.window_start) AS window_start_of_quietest,
    uniqExact(latest.service) AS services,
    sum(latest.shards) AS shards,
    sum(latest.reserved_cores * latest.shards) AS reserved_cores_total,
    min(ifNull(latest.completeness_hour, latest.completeness)) AS completeness_lowest,
    countIf(ifNull(latest.completeness_hour, latest.completeness) < 1) AS classes_with_missing_records,
    countIf(latest.completeness_hour IS NULL AND latest.completeness IS NULL) AS classes_unknown
FROM quotascope_views.service_latest AS latest
GROUP BY latest.origin, latest.cluster, latest.team;
