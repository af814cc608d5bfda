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
    worst_shards
FROM quotascope.tuning_ranks
FINAL
ORDER BY origin, cluster, service, quota_class, window_start, part DESC
LIMIT 1 BY origin, cluster, service, quota_class, window_start;
