-- One row: one run of one host's agent in one minute before whose records others are missing, be they dropped by the agent
-- or lost on the way. For the operator who asks which hosts lost how much; the minute is that of the record after the hole.
-- A host that says nothing has no records to miss: it shows in the completeness of its services.
CREATE OR REPLACE VIEW quotascope_views.host_gaps
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    host_id,
    if(length(host_id) = 32, concat(substring(host_id, 1, 8), '…'), host_id) AS host_shown,
    agent_epoch,
    minute AS window_start,
    sum(shard_records) AS missing_shard_records,
    sum(host_records) AS missing_host_records
FROM
(
    SELECT origin, cluster, host_id, agent_epoch, toStartOfMinute(window_start) AS minute, missing_before AS shard_records, 0 AS host_records
    FROM quotascope.shard_windows
    FINAL
    WHERE missing_before > 0
    UNION ALL
    SELECT origin, cluster, host_id, agent_epoch, toStartOfMinute(window_start) AS minute, 0 AS shard_records, missing_before AS host_records
    FROM quotascope.host_windows
    FINAL
    WHERE missing_before > 0
)
GROUP BY origin, cluster, host_id, agent_epoch, minute;
