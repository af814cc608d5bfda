-- What would tuning free, and what is it worth?
-- The best set of fixes of each service, evaluated together; sets of one service never add up. Right-sizing is free without any fix.
-- Default range: 1d.
SELECT
    service,
    quota_class,
    team,
    fix_set,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    right_sizing_cores,
    right_sizing_cores_low,
    right_sizing_cores_high,
    savings_usd_per_year,
    savings_usd_per_year_low,
    savings_usd_per_year_high,
    cashable_usd_per_year,
    price_book_version,
    trust,
    origin,
    cluster
FROM quotascope_views.savings_latest
WHERE best
    AND window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY reclaimable_cores DESC, origin, cluster, service, quota_class
