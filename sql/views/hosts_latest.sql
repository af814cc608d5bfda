-- One row: one host in the newest hour of which a record of it arrived: its totals, what is missing and what its kernel loses. Without any such hour within a day: its newest.
-- The running hour is written every ten minutes: hour_shown says whether the hour is over. A later hour without a record makes the host silent, and its zeros are not shown.
-- heard_until is the end of the last window received when the hour was last looked at, up to ten minutes ago; a host of no window: the hour's start.
-- completeness takes for sent what is stated as sent; what came before the first record of a host is not missing.
-- stranded_cores is the greatest that any rule tells of the hour: rules that show in behaviour tell the same loss, so they never add up.
CREATE OR REPLACE VIEW quotascope_views.hosts_latest
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    hour.origin AS origin,
    hour.cluster AS cluster,
    hour.host_id AS host_id,
    if(length(hour.host_id) = 32, concat(substring(hour.host_id, 1, 8), '…'), hour.host_id) AS host_shown,
    hour.window_start AS window_start,
    least(ifNull(hour.heard_until, hour.window_start), toDateTime64(now(), 6, 'UTC')) AS heard_until,
    multiIf(
        newest.window_start > hour.window_start OR hour.host_records = 0, 'SILENT since then',
        hour.window_start + toIntervalMicrosecond(hour.window_us) > now(), 'running',
        hour.window_start + INTERVAL 2 HOUR > now(), 'over',
        'SILENT since then') AS hour_shown,
    arrayStringConcat(hour.kernel_releases, ', ') AS kernels_shown,
    hour.cpus AS cpus,
    hour.cpu_utilization AS cpu_utilization,
    hour.saturated_ratio AS saturated_ratio,
    hour.steal_ratio AS steal_ratio,
    hour.threads AS threads,
    hour.threads_max AS threads_max,
    hour.threads_per_cpu AS threads_per_cpu,
    hour.runnable_threads AS runnable_threads,
    hour.runnable_threads_per_cpu AS runnable_threads_per_cpu,
    hour.completeness AS completeness,
    hour.missing_host_records AS missing_host_records,
    hour.missing_shard_records AS missing_shard_records,
    hour.agent_cpu_ratio AS agent_cpu_ratio,
    hour.agent_rss_bytes_max AS agent_rss_bytes_max,
    hour.agent_starts AS agent_starts,
    hour.protection_step_max AS protection_step_max,
    kernel.stranded_cores AS stranded_cores,
    kernel.stranded_cores_low AS stranded_cores_low,
    kernel.stranded_cores_high AS stranded_cores_high,
    ifNull(concat(toString(round(kernel.stranded_cores, 2)), ' [', toString(round(kernel.stranded_cores_low, 2)), ', ',
        toString(round(kernel.stranded_cores_high, 2)), ']'), 'not judged') AS stranded_cores_shown
FROM
(
    SELECT *
    FROM quotascope.host_hours
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
    ORDER BY origin, cluster, host_id, host_records > 0 DESC, window_start DESC, part DESC
    LIMIT 1 BY origin, cluster, host_id
) AS hour
INNER JOIN
(
    -- An hour of which nothing arrived is written too, after the hour in which a host fell silent.
    SELECT h.origin AS origin, h.cluster AS cluster, h.host_id AS host_id, max(h.window_start) AS window_start
    FROM quotascope.host_hours AS h
    WHERE h.window_start > now() - INTERVAL 1 DAY
    GROUP BY origin, cluster, host_id
) AS newest
    ON newest.origin = hour.origin AND newest.cluster = hour.cluster AND newest.host_id = hour.host_id
LEFT JOIN
(
    SELECT
        origin,
        cluster,
        host_id,
        window_start,
        max(f.stranded_cores) AS stranded_cores,
        max(f.stranded_cores_low) AS stranded_cores_low,
        max(f.stranded_cores_high) AS stranded_cores_high
    FROM quotascope_views.kernel_findings AS f
    WHERE f.window_start > now() - INTERVAL 1 DAY
    GROUP BY origin, cluster, host_id, window_start
) AS kernel
    ON kernel.origin = hour.origin AND kernel.cluster = hour.cluster AND kernel.host_id = hour.host_id AND kernel.window_start = hour.window_start
SETTINGS join_use_nulls = 1;
