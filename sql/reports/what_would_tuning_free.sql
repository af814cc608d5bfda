-- What would tuning free, and what is it worth?
-- The recommended change of each service, its setting replayed as a whole; sets of one service never add up. cores_freed = right-sizing + what the fixes free, negative where a service needs more than it has; usd_per_year is the worth of both, savings_usd_per_year of the fixes alone. what_would_tuning_free_in_total has the sums.
-- Default range: 1d.
SELECT
    service,
    quota_class,
    team,
    fix_set,
    recommended_change,
    cores_freed,
    cores_freed_low,
    cores_freed_high,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    right_sizing_cores,
    right_sizing_cores_low,
    right_sizing_cores_high,
    usd_per_year,
    usd_per_year_low,
    usd_per_year_high,
    savings_usd_per_year,
    savings_usd_per_year_low,
    savings_usd_per_year_high,
    cashable_usd_per_year,
    price_book_version,
    target_reached,
    trust,
    trust_reasons_shown AS trust_reasons,
    needs_shown AS needs,
    origin,
    cluster
FROM quotascope_views.savings_latest
WHERE recommended
    AND window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY cores_freed DESC, origin, cluster, service, quota_class
