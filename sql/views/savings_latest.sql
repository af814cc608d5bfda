-- One row: one set of fixes of the latest analysis of a service and quota class, evaluated together: the sets of a service never add up.
-- `recommended` (and `best`, its name in the table) marks the recommended change: one of each service and class, decided by the savings job alone.
-- cores_freed and usd_per_year are right-sizing and tuning together: ends of both intervals are added, for both errors come from one cliff. The *_shown columns are the same numbers as words, with their interval [5th, 95th percentile].
-- An interval without width is a bound and no estimate: the words name what decides it instead.
-- A class that was not analysed for a day has no latest analysis: totals of the fleet leave it out as well (fleet_totals).
CREATE OR REPLACE VIEW quotascope_views.savings_latest
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    estimate.origin AS origin,
    estimate.cluster AS cluster,
    estimate.service AS service,
    estimate.quota_class AS quota_class,
    estimate.window_start AS window_start,
    estimate.team AS team,
    estimate.shards AS shards,
    estimate.completeness AS completeness,
    estimate.reserved_cores_total AS reserved_cores_total,
    estimate.fix_set AS fix_set,
    estimate.fix_set_order AS fix_set_order,
    estimate.best AS best,
    estimate.gain AS gain,
    estimate.gain_low AS gain_low,
    estimate.gain_high AS gain_high,
    estimate.reclaimable_cores AS reclaimable_cores,
    estimate.reclaimable_cores_low AS reclaimable_cores_low,
    estimate.reclaimable_cores_high AS reclaimable_cores_high,
    ifNull(concat(toString(round(estimate.reclaimable_cores, 2)), if(
        estimate.reclaimable_cores_low = estimate.reclaimable_cores_high,
        if(estimate.reclaimable_cores = 0, '', bound_shown),
        concat(' [', toString(round(estimate.reclaimable_cores_low, 2)), ', ', toString(round(estimate.reclaimable_cores_high, 2)), ']'))), '')
        AS reclaimable_cores_shown,
    estimate.right_sizing_cores AS right_sizing_cores,
    estimate.right_sizing_cores_low AS right_sizing_cores_low,
    estimate.right_sizing_cores_high AS right_sizing_cores_high,
    estimate.right_sizing_usd_per_year AS right_sizing_usd_per_year,
    estimate.savings_usd_per_year AS savings_usd_per_year,
    estimate.savings_usd_per_year_low AS savings_usd_per_year_low,
    estimate.savings_usd_per_year_high AS savings_usd_per_year_high,
    ifNull(concat(toString(round(estimate.savings_usd_per_year)), if(
        estimate.savings_usd_per_year_low = estimate.savings_usd_per_year_high,
        if(estimate.savings_usd_per_year = 0, '', bound_shown),
        concat(' [', toString(round(estimate.savings_usd_per_year_low)), ', ', toString(round(estimate.savings_usd_per_year_high)), ']'))), 'no price') AS savings_usd_per_year_shown,
    estimate.cashable_usd_per_year AS cashable_usd_per_year,
    estimate.success_probability AS success_probability,
    estimate.effort_days AS effort_days,
    estimate.kappa_measured AS kappa_measured,
    estimate.price_class AS price_class,
    estimate.price_book_version AS price_book_version,
    estimate.best AS recommended,
    estimate.recommended_change AS recommended_change,
    estimate.needs AS needs,
    arrayStringConcat(estimate.needs, '; ') AS needs_shown,
    estimate.decided_by AS decided_by,
    estimate.target_reached AS target_reached,
    estimate.throttled_period_ratio_target AS throttled_period_ratio_target,
    estimate.headroom_target AS headroom_target,
    estimate.peak_load_multiple AS peak_load_multiple,
    estimate.need_cores AS need_cores,
    estimate.floor_cores AS floor_cores,
    estimate.cores_after AS cores_after,
    estimate.quota_cores AS quota_cores,
    estimate.quota_cores_after AS quota_cores_after,
    estimate.whole_cpus_after AS whole_cpus_after,
    estimate.pool_threads_after AS pool_threads_after,
    estimate.burst_us_after AS burst_us_after,
    estimate.throttled_period_ratio_now AS throttled_period_ratio_now,
    estimate.throttled_period_ratio_after AS throttled_period_ratio_after,
    estimate.throttled_period_ratio_after_low AS throttled_period_ratio_after_low,
    estimate.throttled_period_ratio_after_high AS throttled_period_ratio_after_high,
    ifNull(concat(toString(round(100 * estimate.throttled_period_ratio_after, 1)), ' % [', toString(round(100 * estimate.throttled_period_ratio_after_low, 1)), ', ',
        toString(round(100 * estimate.throttled_period_ratio_after_high, 1)), ']'), '') AS throttled_period_ratio_after_shown,
    estimate.tail_delay_us_now AS tail_delay_us_now,
    estimate.tail_delay_us_after AS tail_delay_us_after,
    estimate.tail_delay_us_now / 1000 AS tail_delay_ms_now,
    estimate.tail_delay_us_after / 1000 AS tail_delay_ms_after,
    estimate.headroom AS headroom,
    estimate.headroom_after AS headroom_after,
    estimate.right_sizing_cores + estimate.reclaimable_cores AS cores_freed,
    estimate.right_sizing_cores_low + estimate.reclaimable_cores_low AS cores_freed_low,
    estimate.right_sizing_cores_high + estimate.reclaimable_cores_high AS cores_freed_high,
    multiIf(
        estimate.decided_by = 'floor', ' (a bound: what must stay)',
        estimate.decided_by = 'whole_cpus', ' (a bound: whole CPUs)',
        estimate.decided_by = 'target', ' (a bound: the target)',
        '') AS bound_shown,
    ifNull(concat(toString(round(cores_freed, 2)), if(
        cores_freed_low = cores_freed_high,
        if(cores_freed = 0, '', bound_shown),
        concat(' [', toString(round(cores_freed_low, 2)), ', ', toString(round(cores_freed_high, 2)), ']'))), '') AS cores_freed_shown,
    estimate.right_sizing_usd_per_year_low AS right_sizing_usd_per_year_low,
    estimate.right_sizing_usd_per_year_high AS right_sizing_usd_per_year_high,
    estimate.right_sizing_usd_per_year + estimate.savings_usd_per_year AS usd_per_year,
    estimate.right_sizing_usd_per_year_low + estimate.savings_usd_per_year_low AS usd_per_year_low,
    estimate.right_sizing_usd_per_year_high + estimate.savings_usd_per_year_high AS usd_per_year_high,
    ifNull(concat(toString(round(usd_per_year)), if(
        usd_per_year_low = usd_per_year_high,
        if(usd_per_year = 0, '', bound_shown),
        concat(' [', toString(round(usd_per_year_low)), ', ', toString(round(usd_per_year_high)), ']'))), 'no price') AS usd_per_year_shown,
    estimate.trust AS trust,
    ifNull(estimate.setting_text, '') AS setting_text,
    arrayStringConcat(estimate.reasons, '; ') AS reasons_shown,
    -- What is assumed or missing, apart from the sentences that only repeat figures of the row.
    arrayStringConcat(estimate.trust_reasons, '; ') AS trust_reasons_shown,
    estimate.aim AS aim
FROM
(
    SELECT *, analysis_order
    FROM quotascope.savings_latest
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
        AND (origin, cluster, service, quota_class) NOT IN (SELECT origin, cluster, service, quota_class FROM quotascope_views.ended_quota_classes)
) AS estimate
INNER JOIN
(
    -- What the newest analysis no longer has, or words otherwise, stays behind with an older instant, part or version.
    SELECT origin, cluster, service, quota_class, max(analysis_order) AS newest
    FROM quotascope.savings_latest
    GROUP BY origin, cluster, service, quota_class
) AS last
    ON last.origin = estimate.origin AND last.cluster = estimate.cluster AND last.service = estimate.service
    AND last.quota_class = estimate.quota_class AND last.newest = estimate.analysis_order;
