-- One row: equally named threads of one service and quota class in one minute, with the CPU time they used in 10 ms samples above the quota.
-- Each shard names its eight busiest in each window of 10 s, where the collector may name threads (thread_names, off by default). Digits of names are #.
-- Where a shard ran above its quota and nothing was named, the row is `(names not measured)`, with its records and no time.
CREATE OR REPLACE VIEW quotascope_views.thread_pools
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    named.origin AS origin,
    named.cluster AS cluster,
    named.service AS service,
    named.quota_class AS quota_class,
    named.window_start AS window_start,
    owners.team AS team,
    named.thread_name AS thread_name,
    named.records AS records,
    named.usage_us AS usage_us
FROM
(
    SELECT
        w.origin AS origin,
        w.cluster AS cluster,
        w.service AS service,
        w.quota_class AS quota_class,
        w.minute AS window_start,
        w.thread.1 AS thread_name,
        count() AS records,
        if(thread_name = '(names not measured)', NULL, sum(w.thread.2)) AS usage_us
    FROM
    (
        SELECT
            origin,
            cluster,
            service,
            quota_class,
            toDateTime64(toStartOfMinute(window_start), 6, 'UTC') AS minute,
            arrayJoin(if(empty(excursion_threads), [('(names not measured)', toInt64(0))], excursion_threads)) AS thread
        FROM quotascope.shard_windows
        FINAL
        WHERE excursion_samples > 0
    ) AS w
    GROUP BY origin, cluster, service, quota_class, window_start, thread_name
) AS named
LEFT JOIN
(
    SELECT origin, cluster, service, anyLast(s.team) AS team
    FROM quotascope_views.service_latest AS s
    GROUP BY origin, cluster, service
) AS owners
    ON owners.origin = named.origin AND owners.cluster = named.cluster AND owners.service = named.service;
