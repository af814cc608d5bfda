-- One row: an alert that is firing now, in its latest state.
-- For the page that asks what is wrong at this moment.
-- An alert of a quota class that is over ends with it: nothing is judged there any more, and what goes on is judged in the class in force.
-- remedy_shown looks at the recommended change of this service, where remedy says the same of all: it sends nobody nearer to the cliff that the alert is about.
-- value and threshold have the unit of the kind; the *_shown columns say them in words, because a level is no number: vulnerable is the level 1 of 2.
CREATE OR REPLACE VIEW quotascope_views.open_alerts
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    alert.origin AS origin,
    alert.cluster AS cluster,
    alert.service AS service,
    alert.quota_class AS quota_class,
    alert.host_id AS host_id,
    alert.window_start AS window_start,
    alert.version AS version,
    alert.catalog_version AS catalog_version,
    alert.team AS team,
    alert.shards AS shards,
    alert.completeness AS completeness,
    alert.quota_cores AS quota_cores,
    alert.reserved_cores AS reserved_cores,
    alert.alert_id AS alert_id,
    alert.kind AS kind,
    alert.severity AS severity,
    alert.state AS state,
    alert.since AS since,
    alert.value AS value,
    alert.threshold AS threshold,
    alert.reasons AS reasons,
    alert.remedy AS remedy,
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
        concat(toString(round(threshold, 2)), unit, ' or more')) AS threshold_shown,
    -- The recommended change is about the quota of the service, so the two kinds that tell of a cliff ask it.
    multiIf(
        kind NOT IN ('vulnerable', 'cliff_near') OR change.headroom IS NULL OR change.headroom_after IS NULL OR change.trust = 'unusable', remedy,
        change.headroom_after > change.headroom, concat('make the recommended change (', change.recommended_change, '): it moves the cliff from ',
            toString(round(assumeNotNull(change.headroom), 2)), ' to ', toString(round(assumeNotNull(change.headroom_after), 2)),
            ' times the load of its peak. Until then shed load as soon as throttling begins'),
        concat('shed load as soon as throttling begins. ', if(change.headroom_after < change.headroom, concat('The recommended change (', change.recommended_change,
            ') is no remedy: it brings the cliff nearer, from ', toString(round(assumeNotNull(change.headroom), 2)), ' to ',
            toString(round(assumeNotNull(change.headroom_after), 2)), ' times the load of its peak. '), 'No recommended change moves the cliff. '),
            'What-if says which settings move it away')) AS remedy_shown
FROM
(
    SELECT
        * EXCEPT (service, quota_class),
        -- Never null, as the column it is joined to: a filter on one service reaches both tables then.
        CAST(ifNull(service, ''), 'LowCardinality(String)') AS service,
        CAST(ifNull(quota_class, ''), 'LowCardinality(String)') AS quota_class,
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
) AS alert
LEFT JOIN
(
    SELECT
        s.origin AS origin,
        s.cluster AS cluster,
        s.service AS service,
        s.quota_class AS quota_class,
        s.recommended_change AS recommended_change,
        s.trust AS trust,
        s.headroom AS headroom,
        s.headroom_after AS headroom_after
    FROM quotascope_views.savings_latest AS s
    WHERE s.recommended
) AS change
    ON change.origin = alert.origin AND change.cluster = alert.cluster AND change.service = alert.service AND change.quota_class = alert.quota_class
WHERE alert.state = 'firing'
    AND (alert.origin, alert.cluster, alert.service, alert.quota_class) NOT IN (
        SELECT origin, cluster, service, quota_class FROM quotascope_views.ended_quota_classes
    )
SETTINGS join_use_nulls = 1;
