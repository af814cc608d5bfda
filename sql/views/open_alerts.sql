-- One row: an alert that is firing now, in its latest state.
-- For the page that asks what is wrong at this moment.
-- An alert of a quota class that is over ends with it: nothing is judged there any more, and what goes on is judged in the class in force.
-- value and threshold have the unit of the kind; the *_shown columns say them in words, because a level is no number: vulnerable is the level 1 of 2.
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
    remedy,
    arrayStringConcat(reasons, '; ') AS reasons_shown,
    if(ifNull(host_id, '') = '', toString(service), if(length(host_id) = 32, concat(substring(host_id, 1, 8), '…'), host_id)) AS subject_shown,
    multiIf(
        kind = 'vulnerable', transform(value, [0., 1., 2.], ['stable', 'vulnerable: a pulse of load would collapse it', 'collapsed'], toString(value)),
        kind = 'savings_regressed', 'the change took back what it promised',
        concat(toString(round(value, 2)), unit)) AS value_shown,
    multiIf(
        kind = 'vulnerable', 'vulnerable or worse',
        kind = 'savings_regressed', 'regressed',
        kind = 'cliff_near', concat(toString(round(threshold, 2)), unit, ' or nearer'),
        concat(toString(round(threshold, 2)), unit, ' or more')) AS threshold_shown
FROM
(
    SELECT
        *,
        transform(
            toString(kind),
            ['cliff_near', 'kernel_fault', 'host_threads', 'host_threads_growth', 'shard_threads', 'neighbour_interference', 'silent_host'],
            [' × its load collapses it', ' cores of quota lost', ' threads of any state / CPU', ' × the threads of its last hour',
                ' threads of any state / reserved core', ' of the host''s CPU time taken above quota', ' minutes without a record'],
            '') AS unit
    FROM quotascope.throttling_alerts
    FINAL
    ORDER BY origin, cluster, kind, alert_id, window_start DESC
    LIMIT 1 BY origin, cluster, kind, alert_id
)
WHERE state = 'firing'
    AND (origin, cluster, ifNull(service, ''), ifNull(quota_class, '')) NOT IN (
        SELECT origin, cluster, service, quota_class FROM quotascope_views.ended_quota_classes
    );
