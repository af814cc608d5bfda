-- Which services could give reserved cores back?
-- The newest state of every service whose 10 ms peaks leave reserved cores unused, most cores first. An empty origin, cluster or service means any.
SELECT
    service,
    quota_class,
    team,
    shards,
    reserved_cores,
    reserved_core_utilization,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    throttled_period_ratio_peak,
    completeness,
    origin,
    cluster,
    reasons
FROM quotascope_views.service_latest
WHERE verdict = 'give_back'
    AND window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY reclaimable_cores DESC, origin, cluster, service, quota_class
