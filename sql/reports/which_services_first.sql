-- Which services should we look at first, and why?
-- The newest state of every service heard of in [from, until): what a day of work is worth most first, then by verdict; risk_position is the order of who collapses first. An empty origin, cluster or service means any.
SELECT
    row_number() OVER (ORDER BY ranked.rank_position) AS rank_position,
    row_number() OVER (ORDER BY ranked.risk_position) AS risk_position,
    ranked.service AS service,
    ranked.quota_class AS quota_class,
    ranked.verdict AS verdict,
    ranked.shards AS shards,
    ranked.throttled_period_ratio AS throttled_period_ratio,
    ranked.throttled_period_ratio_hour AS throttled_period_ratio_hour,
    ranked.throttled_us_per_throttled_period AS throttled_us_per_throttled_period,
    ranked.excursion_ratio AS excursion_ratio,
    ranked.threads_per_reserved_core_p99 AS threads_per_reserved_core_p99,
    ranked.reserved_core_utilization AS reserved_core_utilization,
    ranked.reserved_cores AS reserved_cores,
    ranked.reclaimable_cores_low AS reclaimable_cores_low,
    ranked.reclaimable_cores AS reclaimable_cores,
    ranked.reclaimable_cores_high AS reclaimable_cores_high,
    ranked.completeness AS completeness,
    ranked.origin AS origin,
    ranked.cluster AS cluster,
    ranked.team AS team,
    ranked.collapse_load_multiple AS collapse_load_multiple,
    ranked.collapse_load_multiple_low AS collapse_load_multiple_low,
    ranked.collapse_load_multiple_high AS collapse_load_multiple_high,
    ranked.fix_set AS fix_set,
    ranked.tunable_cores AS tunable_cores,
    ranked.tunable_cores_low AS tunable_cores_low,
    ranked.tunable_cores_high AS tunable_cores_high,
    ranked.savings_usd_per_year AS savings_usd_per_year,
    ranked.savings_usd_per_year_low AS savings_usd_per_year_low,
    ranked.savings_usd_per_year_high AS savings_usd_per_year_high,
    ranked.effort_days AS effort_days,
    ranked.savings_usd_per_year_per_effort_day AS savings_usd_per_year_per_effort_day,
    ranked.risk_band AS risk_band,
    ranked.recommended_change AS recommended_change,
    ranked.cores_freed AS cores_freed,
    ranked.cores_freed_low AS cores_freed_low,
    ranked.cores_freed_high AS cores_freed_high,
    ranked.usd_per_year AS usd_per_year,
    ranked.usd_per_year_low AS usd_per_year_low,
    ranked.usd_per_year_high AS usd_per_year_high,
    ranked.trust AS trust,
    ranked.trust_reasons_shown AS trust_reasons,
    ranked.window_start AS window_start,
    ranked.window_start + INTERVAL 1 MINUTE - toIntervalMicrosecond(ranked.horizon_us) AS horizon_start,
    ranked.window_start + INTERVAL 1 MINUTE AS horizon_end,
    ranked.horizon_windows AS horizon_windows,
    ranked.reasons AS reasons,
    ranked.worst_shards AS worst_shards
FROM quotascope_views.service_ranking AS ranked
WHERE ranked.window_start >= {from:DateTime64(6, 'UTC')}
    AND ranked.window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR ranked.origin = {origin:String})
    AND ({cluster:String} = '' OR ranked.cluster = {cluster:String})
    AND ({service:String} = '' OR ranked.service = {service:String})
ORDER BY rank_position
