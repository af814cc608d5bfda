-- One row: threads per reserved core of one service and quota class in one minute.
-- A minute has a row for each arrival part, each over all parts up to its own: the highest part knows most.
CREATE OR REPLACE VIEW quotascope_views.thread_ratios
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
    threads_per_shard,
    threads_per_reserved_core_p50,
    threads_per_reserved_core_p90,
    threads_per_reserved_core_p99,
    runnable_threads_per_reserved_core_p50,
    runnable_threads_per_reserved_core_p90,
    runnable_threads_per_reserved_core_p99,
    runnable_threads_per_reserved_core_low,
    runnable_threads_per_reserved_core_high,
    worst_shards
FROM quotascope.thread_ratios
FINAL
ORDER BY origin, cluster, service, quota_class, window_start, part DESC
LIMIT 1 BY origin, cluster, service, quota_class, window_start;
