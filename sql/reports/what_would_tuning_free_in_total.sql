-- What would tuning free in total, and what would it take?
-- The newest totals of the fleet, of each cluster and of each team; they overlap, so never add rows. net = freed less needed; intervals are those of the sum.
-- Default range: 1d.
SELECT
    total_of,
    total_name,
    services,
    short_classes,
    reserved_cores_total,
    freed_cores,
    freed_cores_low,
    freed_cores_high,
    needed_cores,
    needed_cores_low,
    needed_cores_high,
    net_cores,
    net_cores_low,
    net_cores_high,
    net_usd_per_year,
    net_usd_per_year_low,
    net_usd_per_year_high,
    reclaimable_cores,
    right_sizing_cores,
    unknown_classes,
    unpriced_classes,
    doubtful_classes,
    completeness_lowest,
    origin,
    toString(toDateTime(window_start)) AS of,
    reasons_shown AS reasons
FROM quotascope_views.fleet_totals_latest
WHERE window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND {service:String} = ''
ORDER BY total_order, net_cores DESC, total_name
