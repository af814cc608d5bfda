-- One row: one occurrence of neighbour interference: shards took more than their quotas of a host that had no CPU left, so its other shards waited.
-- value_max is the worst minute's share of the host's CPU time that was above quota in saturated windows; reasons_shown and remedy are of that minute,
-- and name the shards above their quotas and those that waited. For the owner of a host who decides which shard to move.
-- An alert has a row when it begins, grows worse or ends: one that fires without a row for an hour is not said to go on.
CREATE OR REPLACE VIEW quotascope_views.neighbour_interference
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    alert.origin AS origin,
    alert.cluster AS cluster,
    ifNull(alert.host_id, '') AS host_id,
    if(length(ifNull(alert.host_id, '')) = 32, concat(substring(ifNull(alert.host_id, ''), 1, 8), '…'), ifNull(alert.host_id, '')) AS host_shown,
    alert.since AS since,
    max(alert.window_start) AS window_start,
    multiIf(
        argMax(alert.state, alert.window_start) != 'firing', 'over',
        max(alert.window_start) < now() - INTERVAL 1 HOUR, 'no end told for an hour',
        'goes on') AS state_shown,
    argMaxIf(alert.severity, alert.value, alert.state = 'firing') AS severity,
    maxIf(alert.value, alert.state = 'firing') AS value_max,
    argMaxIf(alert.threshold, alert.value, alert.state = 'firing') AS threshold,
    min(alert.completeness) AS completeness_lowest,
    arrayStringConcat(argMaxIf(alert.reasons, alert.value, alert.state = 'firing'), '; ') AS reasons_shown,
    argMaxIf(alert.remedy, alert.value, alert.state = 'firing') AS remedy
FROM quotascope_views.throttling_alerts AS alert
WHERE alert.kind = 'neighbour_interference'
GROUP BY alert.origin, alert.cluster, alert.host_id, alert.alert_id, alert.since;
