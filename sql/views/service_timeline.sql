-- One row: one minute of a service and quota class, or (entry = 'change') something that happened to the service in a minute.
-- For charts that draw throttling over time with the changes on the same axis. A change has no counters, and its team is the service's of today.
CREATE OR REPLACE VIEW quotascope_views.service_timeline
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    window_start,
    team,
    'minute' AS entry,
    '' AS change_shown,
    toInt64(periods) AS periods,
    toInt64(throttled_periods) AS throttled_periods,
    toInt64(throttled_us) AS throttled_us
FROM quotascope_views.throttling_summaries
UNION ALL
SELECT
    event.origin AS origin,
    event.cluster AS cluster,
    event.service AS service,
    ifNull(event.quota_class, '') AS quota_class,
    toDateTime64(toStartOfMinute(event.changed_at), 6, 'UTC') AS window_start,
    owners.team AS team,
    'change' AS entry,
    concat(event.kind, if(event.setting_after IS NULL, '', concat(': ', ifNull(concat(event.setting_before, ' → '), ''), assumeNotNull(event.setting_after))))
        AS change_shown,
    toInt64(0) AS periods,
    toInt64(0) AS throttled_periods,
    toInt64(0) AS throttled_us
FROM quotascope_views.change_events AS event
LEFT JOIN
(
    SELECT origin, cluster, service, anyLast(s.team) AS team
    FROM quotascope_views.service_latest AS s
    GROUP BY origin, cluster, service
) AS owners
    ON owners.origin = event.origin AND owners.cluster = event.cluster AND owners.service = event.service;
