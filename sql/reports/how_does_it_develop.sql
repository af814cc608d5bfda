-- How does it develop from day to day?
-- Each service and day: throttled period ratio of the sums, mean and greatest use, completeness.
-- Default range: 14d.
SELECT
    toString(toDate(h.window_start)) AS day,
    h.service AS service,
    h.quota_class AS quota_class,
    count() AS hours,
    sum(h.throttled_periods) / nullIf(sum(h.periods), 0) AS throttled_period_ratio,
    sum(h.usage_us) / sum(h.window_us) AS used_cores,
    max(h.used_cores_max) AS used_cores_max,
    if(sum(h.expected_records) > 0, least(1, sum(h.records) / sum(h.expected_records)), NULL) AS completeness,
    h.origin AS origin,
    h.cluster AS cluster
FROM quotascope_views.service_hours AS h
WHERE h.window_start >= {from:DateTime64(6, 'UTC')}
    AND h.window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR h.origin = {origin:String})
    AND ({cluster:String} = '' OR h.cluster = {cluster:String})
    AND ({service:String} = '' OR h.service = {service:String})
GROUP BY h.origin, h.cluster, h.service, h.quota_class, toDate(h.window_start)
ORDER BY h.origin, h.cluster, h.service, h.quota_class, day
