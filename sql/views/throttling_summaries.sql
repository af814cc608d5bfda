-- One row: how one service and quota class was throttled in one minute.
-- A minute has a row for each arrival part, each over all parts up to its own: the highest part knows most.
CREATE OR REPLACE VIEW quotascope_views.throttling_summaries
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
    records,
    expected_records,
    sample_coverage,
    usage_us,
    periods,
    throttled_periods,
    throttled_us,
    throttled_period_ratio,
    throttled_us_per_throttled_period,
    throttled_wall_ratio,
    excursion_ratio,
    used_cores,
    used_cores_per_shard,
    used_cores_p50,
    used_cores_p90,
    used_cores_p99,
    used_cores_p999,
    reserved_core_utilization,
    reserved_core_utilization_p50,
    reserved_core_utilization_p99,
    shard_throttled_ratio_p50,
    shard_throttled_ratio_p90,
    shard_throttled_ratio_p99,
    usage_histogram_cores,
    usage_histogram_samples,
    worst_shards
FROM quotascope.throttling_summaries
FINAL
ORDER BY origin, cluster, service, quota_class, window_start, part DESC
LIMIT 1 BY origin, cluster, service, quota_class, window_start;
