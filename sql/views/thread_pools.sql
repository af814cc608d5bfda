-- One row: equally named threads of one shard in one window of 10 s, with the CPU time they used in 10 ms samples above the quota.
-- The eight busiest are named, where the collector may name threads (thread_names, off by default). Digits of names are #.
-- Where a shard ran above its quota and nothing was named, the row is `(names not measured)`, without a time.
CREATE OR REPLACE VIEW quotascope_views.thread_pools
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    named.origin AS origin,
    named.cluster AS cluster,
    named.service AS service,
    named.quota_class AS quota_class,
    named.shard AS shard,
    named.window_start AS window_start,
    owners.team AS team,
    named.thread.1 AS thread_name,
    if(named.measured, named.thread.2, NULL) AS usage_us
FROM
(
    SELECT
        origin,
        cluster,
        service,
        quota_class,
        shard,
        window_start,
        notEmpty(excursion_threads) AS measured,
        arrayJoin(if(measured, excursion_threads, [('(names not measured)', toInt64(0))])) AS thread
    FROM quotascope.shard_windows
    FINAL
    WHERE excursion_samples > 0
) AS named
LEFT JOIN
(
    SELECT origin, cluster, service, anyLast(s.team) AS team
    FROM quotascope_views.service_latest AS s
    GROUP BY origin, cluster, service
) AS owners
    ON owners.origin = named.origin AND owners.cluster = named.cluster AND owners.service = named.service;
