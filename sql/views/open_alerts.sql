-- One row: an alert that is firing now, in its latest state.
-- For the page that asks what is wrong at this moment.
CREATE OR REPLACE VIEW quotascope_views.open_alerts
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    host_id,
    window_start,
    version,
    catalog_version,
    team,
    shards,
    completeness,
    quota_cores,
    reserved_cores,
    alert_id,
    kind,
    severity,
    state,
    since,
    value,
    threshold,
    reasons,
    remedy
FROM
(
    SELECT *
    FROM quotascope.throttling_alerts
    FINAL
    ORDER BY origin, cluster, kind, alert_id, window_start DESC
    LIMIT 1 BY origin, cluster, kind, alert_id
)
WHERE state = 'firing';
