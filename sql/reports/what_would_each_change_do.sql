-- What would each change do to a service?
-- Every scenario of its latest analysis. Name the service with --service; without it every service is listed.
-- Default range: 1d.
SELECT
    service,
    quota_class,
    scenario,
    recommended_shown,
    throttled_period_ratio,
    throttled_period_ratio_low,
    throttled_period_ratio_high,
    round(stall_us_p99 / 1000, 1) AS stall_ms_p99,
    cores_saved,
    effort_days,
    trust,
    origin,
    cluster,
    setting_text
FROM quotascope_views.what_if_latest
WHERE window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY origin, cluster, service, quota_class, scenario_order
