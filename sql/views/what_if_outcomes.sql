-- One row: what one change would give one service and quota class, seen from one analysed minute.
-- A minute has an analysis for each arrival part, each over all parts up to its own: the highest part knows most, of it the greatest version, and its rows are shown whole.
-- A scenario that only an earlier one had, or that another release worded otherwise, is of no use beside them.
CREATE OR REPLACE VIEW quotascope_views.what_if_outcomes
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    window_start,
    part,
    version,
    catalog_version,
    team,
    shards,
    completeness,
    quota_cores,
    reserved_cores,
    scenario,
    fromUnixTimestamp64Micro(analysed_at_us, 'UTC') AS analysed_at,
    analysis_trigger,
    horizon_us,
    horizon_windows,
    scenario_kind,
    scenario_order,
    scenario_quota_cores,
    scenario_period_us,
    scenario_burst_us,
    scenario_cap_cores,
    scenario_load_multiple,
    baseline_throttled_period_ratio,
    baseline_throttled_period_ratio_low,
    baseline_throttled_period_ratio_high,
    throttled_period_ratio,
    throttled_period_ratio_low,
    throttled_period_ratio_high,
    will_throttle,
    baseline_stall_us_p99,
    baseline_delay_us_p99,
    stall_us_p50,
    stall_us_p90,
    stall_us_p99,
    delay_us_p50,
    delay_us_p90,
    delay_us_p99,
    demand_cores,
    trust,
    setting_text,
    reasons
FROM
(
    SELECT *, max((part, version)) OVER (PARTITION BY origin, cluster, service, quota_class, window_start) AS newest
    FROM quotascope.what_if_outcomes
    FINAL
)
WHERE (part, version) = newest;
