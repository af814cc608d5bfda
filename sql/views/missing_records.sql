-- One row: one service and quota class, or one host, of which something is missing: records of its last hour, or all of it since a minute.
-- Services and hosts that are whole and heard of have no row. since is the end of the last hour that was whole, within the last day; null: none was.
-- heard_until is when it was heard of last, of a host from the records of its last hour: silent ones are told in this order, the first to fall silent first.
-- A service is silent when it is three minutes behind the newest minute of its origin; a host when its newest hour has no record, or is over for an hour.
CREATE OR REPLACE VIEW quotascope_views.missing_records
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    team,
    if(subject_kind = 'service', subject, '') AS service,
    subject,
    subject_kind,
    quota_class,
    window_start,
    completeness,
    silent,
    heard_until,
    since,
    multiIf(
        silent AND subject_kind = 'host', concat('not heard of since about ', formatDateTime(heard_until, '%Y-%m-%d %H:%i')),
        silent, concat('silent since ', formatDateTime(window_start, '%Y-%m-%d %H:%i')),
        since IS NULL AND first > now() - INTERVAL 23 HOUR, 'records missing since it was first heard of',
        since IS NULL, 'records missing for a day or longer',
        concat('records missing since ', formatDateTime(assumeNotNull(since), '%Y-%m-%d %H:%i'))) AS missing_shown
FROM
(
    SELECT
        latest.origin AS origin,
        latest.cluster AS cluster,
        latest.team AS team,
        toString(latest.service) AS subject,
        'service' AS subject_kind,
        toString(latest.quota_class) AS quota_class,
        latest.window_start AS window_start,
        ifNull(latest.completeness_hour, latest.completeness) AS completeness,
        latest.window_start < newest.minute - INTERVAL 3 MINUTE AS silent,
        latest.window_start + INTERVAL 1 MINUTE AS heard_until,
        whole.since AS since,
        ifNull(whole.first, latest.window_start) AS first
    FROM quotascope_views.service_latest AS latest
    INNER JOIN
    (
        SELECT s.origin AS origin, max(s.window_start) AS minute
        FROM quotascope_views.service_latest AS s
        -- A clock that runs ahead makes nobody else silent.
        WHERE s.window_start <= now()
        GROUP BY origin
    ) AS newest ON newest.origin = latest.origin
    LEFT JOIN
    (
        SELECT
            h.origin AS origin, h.cluster AS cluster, h.service AS service, h.quota_class AS quota_class, min(h.window_start) AS first,
            maxOrNullIf(h.window_start, h.completeness >= 1) + INTERVAL 1 HOUR AS since
        FROM quotascope_views.service_hours AS h
        WHERE h.window_start > now() - INTERVAL 1 DAY
        GROUP BY origin, cluster, service, quota_class
    ) AS whole
        ON whole.origin = latest.origin AND whole.cluster = latest.cluster AND whole.service = latest.service AND whole.quota_class = latest.quota_class
    WHERE latest.window_start > now() - INTERVAL 1 DAY
    UNION ALL
    SELECT
        host.origin AS origin,
        host.cluster AS cluster,
        NULL AS team,
        host.host_shown AS subject,
        'host' AS subject_kind,
        '' AS quota_class,
        host.window_start AS window_start,
        host.completeness AS completeness,
        host.hour_shown LIKE 'SILENT%' AS silent,
        host.heard_until AS heard_until,
        whole.since AS since,
        ifNull(whole.first, host.window_start) AS first
    FROM quotascope_views.hosts_latest AS host
    LEFT JOIN
    (
        SELECT
            h.origin AS origin, h.cluster AS cluster, h.host_id AS host_id, min(h.window_start) AS first,
            maxOrNullIf(h.window_start, h.completeness >= 1) + INTERVAL 1 HOUR AS since
        FROM quotascope_views.host_hours AS h
        WHERE h.window_start > now() - INTERVAL 1 DAY
        GROUP BY origin, cluster, host_id
    ) AS whole ON whole.origin = host.origin AND whole.cluster = host.cluster AND whole.host_id = host.host_id
)
WHERE silent OR completeness < 1
SETTINGS join_use_nulls = 1;
