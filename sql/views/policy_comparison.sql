-- One row: one kind of change as a policy for the whole fleet: what the latest analyses say of every service that it was replayed for.
-- A scenario names a service's own numbers; a policy is what services have in common: the multiple of the quota, or the kind. More load is no policy.
-- services_recommended are those whose recommended change contains the policy (savings_latest): thread pools of "thread pools + burst", too.
-- services_helped and services_harmed are those whose intervals of throttled periods lie apart, before and after; the others are neither.
-- cores_released are the cores that the same fix frees in the savings analysis. What the interval is, cores_released_interval says:
-- 'of the sum' = drawn by the savings job with the error that services share (fleet_totals), for the recommended changes;
-- 'outer bounds' = the ends of the single intervals added, the widest the sum can be, as if all errors went the same way;
-- 'none' = a policy that savings do not evaluate: its cores are not known.
-- What the recommended changes release is net: right-sizing and tuning together, less what services take that need more than they have; a single policy releases what its fix frees beyond right-sizing.
CREATE OR REPLACE VIEW quotascope_views.policy_comparison
DEFINER = admin SQL SECURITY DEFINER AS
WITH
    replayed AS
    (
        SELECT
            w.origin AS origin,
            w.cluster AS cluster,
            toString(w.scenario_kind) AS policy_kind,
            multiIf(
                policy_kind = 'recommended', 'the recommended change of each service',
                w.scenario_kind = 'quota' AND w.scenario_quota_cores IS NOT NULL AND w.quota_cores > 0,
                concat('quota x', toString(round(assumeNotNull(w.scenario_quota_cores) / assumeNotNull(w.quota_cores), 2))),
                w.scenario_kind = 'burst', 'burst of one quota',
                w.scenario_kind = 'concurrency_cap', 'at most quota cores at once, no quota',
                w.scenario_kind = 'pool_threads', 'as many threads as quota cores',
                w.scenario_kind = 'pinning', 'whole CPUs, no quota',
                w.scenario) AS scenario,
            max(w.window_start) AS window_start,
            uniqExact(w.service, w.quota_class) AS services,
            countIf(w.throttled_period_ratio_high < w.baseline_throttled_period_ratio_low) AS services_helped,
            countIf(w.throttled_period_ratio_low > w.baseline_throttled_period_ratio_high) AS services_harmed,
            countIf(w.trust != 'sound') AS services_doubtful
        FROM quotascope_views.what_if_latest AS w
        WHERE w.scenario_kind NOT IN ('as_it_is', 'load')
        GROUP BY origin, cluster, policy_kind, scenario
    ),
    valued AS
    (
        SELECT
            s.origin AS origin,
            s.cluster AS cluster,
            arrayJoin(if(s.recommended, ['recommended', fix_kind], [fix_kind])) AS scenario_kind,
            transform(toString(s.fix_set), ['burst', 'thread pools', 'pinning', 'concurrency cap'], ['burst', 'pool_threads', 'pinning', 'concurrency_cap'], '')
                AS fix_kind,
            sum(if(scenario_kind = 'recommended', s.cores_freed, s.reclaimable_cores)) AS cores_released,
            sum(if(scenario_kind = 'recommended', s.cores_freed_low, s.reclaimable_cores_low)) AS cores_released_low,
            sum(if(scenario_kind = 'recommended', s.cores_freed_high, s.reclaimable_cores_high)) AS cores_released_high
        FROM quotascope_views.savings_latest AS s
        GROUP BY origin, cluster, scenario_kind, fix_kind
    ),
    freed AS
    (
        SELECT
            origin,
            cluster,
            scenario_kind,
            sum(v.cores_released) AS cores_released,
            sum(v.cores_released_low) AS cores_released_low,
            sum(v.cores_released_high) AS cores_released_high
        FROM valued AS v
        WHERE scenario_kind != ''
        GROUP BY origin, cluster, scenario_kind
    ),
    advised AS
    (
        SELECT
            s.origin AS origin,
            s.cluster AS cluster,
            arrayJoin(arrayConcat(['recommended'],
                arrayMap(fix -> transform(fix, ['burst', 'thread pools', 'pinning', 'concurrency cap', 'period'],
                    ['burst', 'pool_threads', 'pinning', 'concurrency_cap', 'period'], ''), splitByString(' + ', toString(s.fix_set))))) AS scenario_kind,
            uniqExact(s.service, s.quota_class) AS services
        FROM quotascope_views.savings_latest AS s
        WHERE s.recommended AND s.fix_set != 'as it is'
        GROUP BY origin, cluster, scenario_kind
    ),
    totals AS
    (
        SELECT
            t.origin AS origin,
            t.total_name AS cluster,
            'recommended' AS scenario_kind,
            argMax(ifNull(t.net_cores, t.right_sizing_cores + t.reclaimable_cores), t.window_start) AS total_cores,
            argMax(ifNull(t.net_cores_low, t.right_sizing_cores_low + t.reclaimable_cores_low), t.window_start) AS total_cores_low,
            argMax(ifNull(t.net_cores_high, t.right_sizing_cores_high + t.reclaimable_cores_high), t.window_start) AS total_cores_high
        FROM quotascope_views.fleet_totals AS t
        WHERE t.total_of = 'cluster' AND t.window_start > now() - INTERVAL 1 DAY
        GROUP BY origin, cluster
    )
SELECT
    r.origin AS origin,
    r.cluster AS cluster,
    r.policy_kind AS scenario_kind,
    r.scenario AS scenario,
    r.window_start AS window_start,
    toNullable(r.services) AS services,
    toNullable(r.services_helped) AS services_helped,
    toNullable(r.services_harmed) AS services_harmed,
    toNullable(ifNull(d.services, 0)) AS services_recommended,
    toNullable(r.services_doubtful) AS services_doubtful,
    ifNull(a.total_cores, f.cores_released) AS cores_released,
    ifNull(a.total_cores_low, f.cores_released_low) AS cores_released_low,
    ifNull(a.total_cores_high, f.cores_released_high) AS cores_released_high,
    multiIf(a.total_cores IS NOT NULL, 'of the sum', f.cores_released_low IS NULL, 'none', 'outer bounds') AS cores_released_interval
FROM replayed AS r
LEFT JOIN freed AS f ON f.origin = r.origin AND f.cluster = r.cluster AND f.scenario_kind = r.policy_kind
LEFT JOIN advised AS d ON d.origin = r.origin AND d.cluster = r.cluster AND d.scenario_kind = r.policy_kind
LEFT JOIN totals AS a ON a.origin = r.origin AND a.cluster = r.cluster AND a.scenario_kind = r.policy_kind
SETTINGS join_use_nulls = 1
UNION ALL
SELECT
    k.origin AS origin,
    k.cluster AS cluster,
    'kernel_upgrade' AS scenario_kind,
    concat(
        'a kernel without ', k.rule, ' (hosts: ', toString(uniqExact(k.host_id)),
        if(countIf(k.faults > 1) > 0, concat(', of them ', toString(uniqExactIf(k.host_id, k.faults > 1)), ' with another fault too: in its row as well'), ''), ')')
        AS scenario,
    max(k.window_start) AS window_start,
    CAST(NULL, 'Nullable(UInt64)') AS services,
    CAST(NULL, 'Nullable(UInt64)') AS services_helped,
    CAST(NULL, 'Nullable(UInt64)') AS services_harmed,
    CAST(NULL, 'Nullable(UInt64)') AS services_recommended,
    CAST(NULL, 'Nullable(UInt64)') AS services_doubtful,
    sum(k.stranded_cores) AS cores_released,
    sum(k.stranded_cores_low) AS cores_released_low,
    sum(k.stranded_cores_high) AS cores_released_high,
    'outer bounds' AS cores_released_interval
FROM
(
    -- Rules that show in behaviour tell the same loss: a host with two faults stands in two rows, which are never added.
    SELECT *, count() OVER (PARTITION BY origin, cluster, host_id) AS faults
    FROM
    (
        SELECT *
        FROM quotascope_views.kernel_findings
        WHERE window_start > now() - INTERVAL 1 DAY
        ORDER BY origin, cluster, host_id, rule, window_start DESC
        LIMIT 1 BY origin, cluster, host_id, rule
    )
    WHERE verdict IN ('confirmed', 'behaves_affected')
) AS k
GROUP BY k.origin, k.cluster, k.rule;
