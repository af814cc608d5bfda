-- Which policy helps the whole fleet?
-- Each change as a policy for every service, by the latest analyses: helped and harmed beyond doubt, cores released.
-- The interval is that of the sum, or the ends of single intervals added (outer bounds), or none: the settings' own difference.
-- Default range: 1d.
SELECT
    scenario,
    scenario_kind,
    services,
    services_helped,
    services_harmed,
    services_recommended,
    services_doubtful,
    cores_released,
    cores_released_low,
    cores_released_high,
    cores_released_interval,
    origin,
    cluster
FROM quotascope_views.policy_comparison
WHERE window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
ORDER BY services_helped DESC NULLS LAST, services_harmed, scenario, origin, cluster
