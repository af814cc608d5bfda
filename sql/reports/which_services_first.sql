-- Which services should we look at first, and why?
-- The latest judged minute of every service in [from, until), best candidates first. An empty origin, cluster or service means any.
WITH
    latest AS
    (
        SELECT
            origin,
            cluster,
            service,
            quota_class,
            team,
            window_start,
            horizon_us,
            horizon_windows,
            verdict,
            rank_class,
            rank_score,
            shards,
            completeness,
            reserved_cores,
            throttled_period_ratio,
            throttled_us_per_throttled_period,
            excursion_ratio,
            threads_per_reserved_core,
            reserved_core_utilization,
            reclaimable_cores_low,
            reclaimable_cores,
            reclaimable_cores_high,
            reasons,
            worst_shards
        FROM quotascope_views.tuning_ranks
        WHERE window_start >= {from:DateTime64(6, 'UTC')}
            AND window_start < {until:DateTime64(6, 'UTC')}
            AND ({origin:String} = '' OR origin = {origin:String})
            AND ({cluster:String} = '' OR cluster = {cluster:String})
            AND ({service:String} = '' OR service = {service:String})
        ORDER BY origin, cluster, service, quota_class, window_start DESC
        LIMIT 1 BY origin, cluster, service, quota_class
    )
SELECT
    row_number() OVER (ORDER BY rank_class, rank_score DESC, origin, cluster, service, quota_class) AS rank_position,
    service,
    quota_class,
    verdict,
    shards,
    throttled_period_ratio,
    throttled_us_per_throttled_period,
    excursion_ratio,
    threads_per_reserved_core,
    reserved_core_utilization,
    reserved_cores,
    reclaimable_cores_low,
    reclaimable_cores,
    reclaimable_cores_high,
    completeness,
    origin,
    cluster,
    team,
    window_start,
    window_start + INTERVAL 1 MINUTE - toIntervalMicrosecond(horizon_us) AS horizon_start,
    window_start + INTERVAL 1 MINUTE AS horizon_end,
    horizon_windows,
    reasons,
    worst_shards
FROM latest
ORDER BY rank_position
