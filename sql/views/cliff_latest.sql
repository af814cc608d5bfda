-- One row: the newest judged minute of a service and quota class: where its cliff is, what that rests on and what limits it.
-- The *_shown columns are the same numbers as words, with their interval [5th, 95th percentile]. Ask about one service: a row comes from its minutes of a day.
CREATE OR REPLACE VIEW quotascope_views.cliff_latest
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    minute.origin AS origin,
    minute.cluster AS cluster,
    minute.service AS service,
    minute.quota_class AS quota_class,
    minute.window_start AS window_start,
    minute.team AS team,
    minute.completeness AS completeness,
    minute.risk_band AS risk_band,
    minute.collapse_load_multiple AS collapse_load_multiple,
    multiIf(
        minute.collapse_load_multiple IS NULL, 'not known',
        ifNull(minute.collapse_beyond, false), concat('more than ', toString(round(assumeNotNull(minute.collapse_load_multiple), 2)), ': beyond the search'),
        ifNull(concat(toString(round(minute.collapse_load_multiple, 2)), ' [', toString(round(minute.collapse_load_multiple_low, 2)), ', ',
            toString(round(minute.collapse_load_multiple_high, 2)), ']'), 'not known')) AS collapse_load_multiple_shown,
    ifNull(concat(toString(round(minute.hottest_shard_collapse_load_multiple, 2)), ' [', toString(round(minute.hottest_shard_collapse_load_multiple_low, 2)),
        ', ', toString(round(minute.hottest_shard_collapse_load_multiple_high, 2)), ']'), 'not known') AS hottest_shard_shown,
    ifNull(concat(toString(round(minute.recovery_load_multiple, 2)), ' [', toString(round(minute.recovery_load_multiple_low, 2)), ', ',
        toString(round(minute.recovery_load_multiple_high, 2)), ']'), 'not known') AS recovery_shown,
    minute.evidence_windows AS evidence_windows,
    multiIf(
        minute.timeout_us IS NULL, 'not known',
        ifNull(minute.clients_assumed, true), concat('assumed: ', toString(intDiv(assumeNotNull(minute.timeout_us), 1000)), ' ms, ', ifNull(toString(minute.retries), '?'), ' retries'),
        concat('by the catalog: ', toString(intDiv(assumeNotNull(minute.timeout_us), 1000)), ' ms, ', ifNull(toString(minute.retries), '?'), ' retries')) AS clients_shown,
    minute.alarm AS alarm,
    arrayStringConcat(minute.reasons, '; ') AS reasons_shown
FROM quotascope_views.collapse_risks AS minute
WHERE minute.window_start > now() - INTERVAL 1 DAY
    AND (minute.origin, minute.cluster, minute.service, minute.quota_class) NOT IN (
        SELECT origin, cluster, service, quota_class FROM quotascope_views.ended_quota_classes)
ORDER BY origin, cluster, service, quota_class, minute.window_start DESC
LIMIT 1 BY origin, cluster, service, quota_class;
