-- One row: one set of fixes of the latest analysis of a service and quota class, evaluated together: the sets of a service never add up.
-- `best` marks the set to count in totals. The *_shown columns are the same numbers as words, with their interval [5th, 95th percentile].
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
    ifNull(concat(toString(round(estimate.reclaimable_cores, 2)), ' [', toString(round(estimate.reclaimable_cores_low, 2)), ', ',
        toString(round(estimate.reclaimable_cores_high, 2)), ']'), '') AS reclaimable_cores_shown,
    estimate.right_sizing_cores AS right_sizing_cores,
    estimate.right_sizing_cores_low AS right_sizing_cores_low,
    estimate.right_sizing_cores_high AS right_sizing_cores_high,
    estimate.right_sizing_usd_per_year AS right_sizing_usd_per_year,
    estimate.savings_usd_per_year AS savings_usd_per_year,
    estimate.savings_usd_per_year_low AS savings_usd_per_year_low,
    estimate.savings_usd_per_year_high AS savings_usd_per_year_high,
    ifNull(concat(toString(round(estimate.savings_usd_per_year)), ' [', toString(round(estimate.savings_usd_per_year_low)), ', ',
        toString(round(estimate.savings_usd_per_year_high)), ']'), 'no price') AS savings_usd_per_year_shown,
    estimate.cashable_usd_per_year AS cashable_usd_per_year,
    estimate.success_probability AS success_probability,
    estimate.effort_days AS effort_days,
    estimate.kappa_measured AS kappa_measured,
    estimate.price_class AS price_class,
    estimate.price_book_version AS price_book_version,
    estimate.trust AS trust,
    ifNull(estimate.setting_text, '') AS setting_text,
    arrayStringConcat(estimate.reasons, '; ') AS reasons_shown
FROM
(
    SELECT *
    FROM quotascope.savings_latest
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
) AS estimate
INNER JOIN
(
    -- What the newest analysis no longer has stays behind with an older instant.
    SELECT origin, cluster, service, quota_class, max(window_start) AS newest
    FROM quotascope.savings_latest
    GROUP BY origin, cluster, service, quota_class
) AS last
    ON last.origin = estimate.origin AND last.cluster = estimate.cluster AND last.service = estimate.service
    AND last.quota_class = estimate.quota_class AND last.newest = estimate.window_start;
