-- One row: which place one service and quota class takes in one minute, and why.
-- A minute has a row for each arrival part, each over all parts up to its own: the highest part knows most.
CREATE OR REPLACE VIEW quotascope_views.tuning_ranks
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
    horizon_us,
    horizon_windows,
    verdict,
    rank_class,
    rank_score,
    throttled_period_ratio,
    throttled_us_per_throttled_period,
    excursion_ratio,
    reserved_core_utilization,
    used_cores_p99,
    threads_per_reserved_core,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    reasons,
    worst_shards,
    setting_text,
    fix_set,
    tunable_cores,
    tunable_cores_low,
    tunable_cores_high,
    savings_usd_per_year,
    savings_usd_per_year_low,
    savings_usd_per_year_high,
    success_probability,
    effort_days,
    savings_usd_per_year_per_effort_day,
    risk_removed,
    death_spiral_risk,
    savings_analysed_at_us,
    risk_analysed_at_us,
    value_reasons
FROM quotascope.tuning_ranks
FINAL
ORDER BY origin, cluster, service, quota_class, window_start, part DESC
LIMIT 1 BY origin, cluster, service, quota_class, window_start;
