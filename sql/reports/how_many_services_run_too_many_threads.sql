-- How many services run too many threads, and what is at stake?
-- Services above 1, 2, 5 and 10 measured runnable threads for each reserved core; services without exact measurement stand apart.
SELECT
    scope,
    level AS runnable_threads_per_core_above,
    services,
    reserved_cores_total,
    savings_usd_per_year,
    services_not_measured,
    origin,
    cluster
FROM quotascope_views.thread_levels
WHERE window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
ORDER BY origin, cluster, scope DESC, runnable_threads_per_core_above
