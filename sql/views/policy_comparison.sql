-- One row: one kind of change as a policy for the whole fleet: what the latest analyses say of every service that it was replayed for.
-- A scenario names a service's own numbers; a policy is what services have in common: the multiple of the quota, or the kind. More load is no policy.
-- helped and harmed are services whose intervals of throttled periods lie apart, before and after; the others are neither.
-- cores_released counts only services where the change still reaches its target; it is the settings' own difference and has no spread.
CREATE OR REPLACE VIEW quotascope_views.policy_comparison
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    w.origin AS origin,
    w.cluster AS cluster,
    if(w.recommended, 'recommended', toString(w.scenario_kind)) AS scenario_kind,
    multiIf(
        w.recommended, 'the recommended change of each service',
        w.scenario_kind = 'quota' AND w.scenario_quota_cores IS NOT NULL AND w.quota_cores > 0,
        concat('quota x', toString(round(assumeNotNull(w.scenario_quota_cores) / assumeNotNull(w.quota_cores), 2))),
        w.scenario_kind = 'burst', 'burst of one quota',
        w.scenario_kind = 'concurrency_cap', 'at most quota cores at once, no quota',
        w.scenario_kind = 'pool_threads', 'as many threads as quota cores',
        w.scenario_kind = 'pinning', 'whole CPUs, no quota',
        w.scenario) AS scenario,
    max(w.window_start) AS window_start,
    count() AS services,
    countIf(w.throttled_period_ratio_high < w.baseline_throttled_period_ratio_low) AS services_helped,
    countIf(w.throttled_period_ratio_low > w.baseline_throttled_period_ratio_high) AS services_harmed,
    countIf(w.recommended) AS services_recommended,
    countIf(w.trust != 'sound') AS services_doubtful,
    ifNull(sumIf(w.cores_saved, w.target_reached AND w.cores_saved > 0), 0) AS cores_released
FROM quotascope_views.what_if_latest AS w
WHERE w.scenario_kind NOT IN ('as_it_is', 'load')
GROUP BY origin, cluster, scenario_kind, scenario;
