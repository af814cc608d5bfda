-- What did not arrive?
-- By cluster: records received of those the hosts say they sent, numbered records that never came, samples missed, hosts heard of; and hosts that fell silent in the range,
-- the first by name: who is silent says nothing of what it did not send, so no other figure shows it.
SELECT
    received.origin AS origin,
    received.cluster AS cluster,
    received.services AS services,
    received.records AS records,
    received.completeness AS completeness,
    ifNull(gaps.missing_records, 0) AS missing_records,
    hosts.hosts AS hosts,
    hosts.missed_sample_ratio AS missed_sample_ratio,
    hosts.protected_host_minutes AS protected_host_minutes,
    ifNull(hosts.silent_hosts, 0) AS silent_hosts,
    ifNull(hosts.first_silent, '') AS first_silent
FROM
(
    SELECT
        w.origin AS origin,
        w.cluster AS cluster,
        uniqExact(w.service, w.quota_class) AS services,
        sum(w.records) AS records,
        if(sum(w.expected_records) > 0, least(1, sum(w.records) / sum(w.expected_records)), NULL) AS completeness
    FROM quotascope_views.service_windows AS w
    WHERE w.window_start >= {from:DateTime64(6, 'UTC')} AND w.window_start < {until:DateTime64(6, 'UTC')}
    GROUP BY w.origin, w.cluster
) AS received
LEFT JOIN
(
    SELECT origin, cluster, sum(missing_shard_records) + sum(missing_host_records) AS missing_records
    FROM quotascope_views.host_gaps
    WHERE window_start >= {from:DateTime64(6, 'UTC')} AND window_start < {until:DateTime64(6, 'UTC')}
    GROUP BY origin, cluster
) AS gaps ON gaps.origin = received.origin AND gaps.cluster = received.cluster
LEFT JOIN
(
    SELECT
        each.origin AS origin,
        each.cluster AS cluster,
        count() AS hosts,
        sum(each.missed_samples) / nullIf(sum(each.samples) + sum(each.missed_samples), 0) AS missed_sample_ratio,
        sum(each.protected_minutes) AS protected_host_minutes,
        countIf(each.silent) AS silent_hosts,
        if(silent_hosts > 0, concat(argMinIf(each.host_id, each.last, each.silent), ' since ',
            formatDateTime(minIf(each.last, each.silent) + INTERVAL 1 MINUTE, '%Y-%m-%d %H:%i')), '') AS first_silent
    FROM
    (
        -- As in missing_records: silent is who lies three minutes behind the newest.
        SELECT
            m.origin AS origin,
            m.cluster AS cluster,
            m.host_id AS host_id,
            sum(m.samples) AS samples,
            sum(m.missed_samples) AS missed_samples,
            countIf(m.protection_step > 0) AS protected_minutes,
            max(m.window_start) AS last,
            last < max(max(m.window_start)) OVER (PARTITION BY m.origin, m.cluster) - INTERVAL 3 MINUTE AS silent
        FROM quotascope_views.collector_minutes AS m
        WHERE m.window_start >= {from:DateTime64(6, 'UTC')} AND m.window_start < {until:DateTime64(6, 'UTC')}
        GROUP BY m.origin, m.cluster, m.host_id
    ) AS each
    GROUP BY each.origin, each.cluster
) AS hosts ON hosts.origin = received.origin AND hosts.cluster = received.cluster
WHERE ({origin:String} = '' OR received.origin = {origin:String})
    AND ({cluster:String} = '' OR received.cluster = {cluster:String})
ORDER BY received.origin, received.cluster
