-- Which services are nearest to their cliff?
-- The newest state of every service with a known cliff: the multiple of its load at which it enters the death spiral. The collapsed ones first, then the
-- vulnerable ones, each by the nearer cliff: the order of risk_position in service_ranking.
SELECT
    service,
    quota_class,
    team,
    shards,
    risk_band,
    collapse_load_multiple,
    collapse_load_multiple_low,
    collapse_load_multiple_high,
    death_spiral_risk,
    throttled_period_ratio_hour,
    completeness,
    recommended_change,
    trust,
    trust_reasons_shown AS trust_reasons,
    origin,
    cluster,
    setting_text
FROM quotascope_views.service_ranking
WHERE collapse_load_multiple IS NOT NULL
    AND window_start >= {from:DateTime64(6, 'UTC')}
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY risk_position
