-- One row: one kind of change as a policy for the whole fleet: what the latest analyses say of every service that it was replayed for.
-- helped and harmed are services whose intervals of throttled periods lie apart, before and after; the others are neither.
-- cores_released counts only services where the change still reaches its target; it is the settings' own difference and has no spread.
CREATE OR REPLACE VIEW quotascope_views.policy_comparison
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    scenario_kind,
    scenario,
    max(window_start) AS window_start,
    count() AS services,
    countIf(throttled_period_ratio_high < baseline_throttled_period_ratio_low) AS services_helped,
    countIf(throttled_period_ratio_low > baseline_throttled_period_ratio_high) AS services_harmed,
    countIf(recommended) AS services_recommended,
    countIf(trust != 'sound') AS services_doubtful,
    ifNull(sumIf(cores_saved, target_reached AND cores_saved > 0), 0) AS cores_released
FROM quotascope_views.what_if_latest
GROUP BY origin, cluster, scenario_kind, scenario;
