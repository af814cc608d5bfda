-- One row: something that happened to a service, in its newest version; events that were taken back are left out.
CREATE OR REPLACE VIEW quotascope_views.change_events
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    event_id,
    changed_at,
    kind,
    source,
    quota_class,
    recommendation_id,
    setting_before,
    setting_after,
    author,
    note,
    version
FROM quotascope.change_events
FINAL
WHERE NOT withdrawn;
