-- One row: an alert began, grew worse or ended; repeated writes count once.
-- For the operator who asks what fired when, and for counting alerts; what is wrong now is in open_alerts.
CREATE OR REPLACE VIEW quotascope_views.throttling_alerts
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
FROM quotascope.throttling_alerts
FINAL;
