-- One row: the newest judged state of a service and quota class with its place among all: the ranked table.
-- rank_position is the order of ExpectedWorth (streaming/domain): what a day of work on the recommended change is worth, risk removed included. Services
-- without any worth follow, by verdict and cores at stake.
-- risk_position is the other order: who collapses first. By band (collapsed, vulnerable, the rest), then by the cliff, the nearer one first, then by the
-- throttled ratio of the last hour. Who is throttled and has no known cliff counts as standing at it: what is not known is not safe.
-- The recommended change, its cores and money, trust and trust_reasons_shown are the recommended row of savings_latest, as every page shows it.
-- The *_shown columns are the same numbers as words, for a table: an interval where the number was not measured.
CREATE OR REPLACE VIEW quotascope_views.service_ranking
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    latest.rank_position AS rank_position,
    latest.risk_position AS risk_position,
    latest.origin AS origin,
    multiIf(
        latest.origin = 'measured', 'read from a kernel while it happened',
        latest.origin = 'replayed', 'NOT MEASURED NOW: a recorded trace, re-stamped',
        'NOT MEASURED: made by a model') AS origin_meaning,
    latest.cluster AS cluster,
    latest.service AS service,
    latest.quota_class AS quota_class,
    latest.window_start AS window_start,
    latest.part AS part,
    latest.version AS version,
    latest.catalog_version AS catalog_version,
    latest.team AS team,
    latest.shards AS shards,
    latest.completeness AS completeness,
    latest.completeness_hour AS completeness_hour,
    latest.quota_cores AS quota_cores,
    latest.reserved_cores AS reserved_cores,
    latest.horizon_us AS horizon_us,
    latest.horizon_windows AS horizon_windows,
    latest.verdict AS verdict,
    latest.rank_class AS rank_class,
    latest.rank_score AS rank_score,
    latest.throttled_period_ratio AS throttled_period_ratio,
    latest.throttled_period_ratio_hour AS throttled_period_ratio_hour,
    latest.throttled_period_ratio_day AS throttled_period_ratio_day,
    latest.throttled_period_ratio_peak AS throttled_period_ratio_peak,
    latest.throttled_us_per_throttled_period AS throttled_us_per_throttled_period,
    latest.excursion_ratio AS excursion_ratio,
    latest.reserved_core_utilization AS reserved_core_utilization,
    latest.used_cores_p99 AS used_cores_p99,
    latest.threads_per_reserved_core_p99 AS threads_per_reserved_core_p99,
    latest.runnable_threads_per_reserved_core_p99 AS runnable_threads_per_reserved_core_p99,
    -- Bounds stand in for a measurement: they count all samples and it the unthrottled time, so beside it they would contradict.
    if(latest.runnable_threads_per_reserved_core_p99 IS NULL, latest.runnable_threads_per_reserved_core_low, NULL)
        AS runnable_threads_per_reserved_core_low,
    if(latest.runnable_threads_per_reserved_core_p99 IS NULL, latest.runnable_threads_per_reserved_core_high, NULL)
        AS runnable_threads_per_reserved_core_high,
    multiIf(
        latest.runnable_threads_per_reserved_core_p99 IS NOT NULL,
        toString(round(latest.runnable_threads_per_reserved_core_p99, 2)),
        latest.runnable_threads_per_reserved_core_low IS NOT NULL OR latest.runnable_threads_per_reserved_core_high IS NOT NULL,
        concat('not measured: [', ifNull(toString(round(latest.runnable_threads_per_reserved_core_low, 2)), '?'), ', ',
            ifNull(toString(round(latest.runnable_threads_per_reserved_core_high, 2)), '?'), ']'),
        'not measured') AS runnable_threads_per_reserved_core_shown,
    latest.risk_band AS risk_band,
    latest.collapse_load_multiple AS collapse_load_multiple,
    latest.collapse_load_multiple_low AS collapse_load_multiple_low,
    latest.collapse_load_multiple_high AS collapse_load_multiple_high,
    multiIf(
        latest.collapse_load_multiple_low = latest.collapse_load_multiple_high,
        concat(toString(round(assumeNotNull(latest.collapse_load_multiple), 2)), if(latest.collapse_load_multiple >= 1, ' or more', ' or less'),
            ': the end of the search'),
        ifNull(concat(toString(round(latest.collapse_load_multiple, 2)), ' [', toString(round(latest.collapse_load_multiple_low, 2)), ', ',
            toString(round(latest.collapse_load_multiple_high, 2)), ']'), 'not known')) AS collapse_load_multiple_shown,
    latest.death_spiral_risk AS death_spiral_risk,
    latest.fix_set AS fix_set,
    ifNull(latest.setting_text, '') AS setting_text,
    latest.tunable_cores AS tunable_cores,
    latest.tunable_cores_low AS tunable_cores_low,
    latest.tunable_cores_high AS tunable_cores_high,
    ifNull(concat(toString(round(latest.tunable_cores, 2)), ' [', toString(round(latest.tunable_cores_low, 2)), ', ',
        toString(round(latest.tunable_cores_high, 2)), ']'), '') AS tunable_cores_shown,
    latest.savings_usd_per_year AS savings_usd_per_year,
    latest.savings_usd_per_year_low AS savings_usd_per_year_low,
    latest.savings_usd_per_year_high AS savings_usd_per_year_high,
    multiIf(
        latest.savings_usd_per_year IS NOT NULL,
        concat(toString(round(assumeNotNull(latest.savings_usd_per_year))), ' [', ifNull(toString(round(latest.savings_usd_per_year_low)), '?'), ', ',
            ifNull(toString(round(latest.savings_usd_per_year_high)), '?'), ']'),
        latest.tunable_cores IS NOT NULL, 'no price',
        '') AS savings_usd_per_year_shown,
    latest.savings_usd_per_year_per_effort_day AS savings_usd_per_year_per_effort_day,
    latest.worth_usd_per_year_per_effort_day AS worth_usd_per_year_per_effort_day,
    latest.stranded_quota_cores AS stranded_quota_cores,
    latest.effort_days AS effort_days,
    latest.success_probability AS success_probability,
    latest.risk_removed AS risk_removed,
    latest.reclaimable_cores AS reclaimable_cores,
    latest.reclaimable_cores_low AS reclaimable_cores_low,
    latest.reclaimable_cores_high AS reclaimable_cores_high,
    ifNull(concat(toString(round(latest.reclaimable_cores, 2)), ' [', toString(round(latest.reclaimable_cores_low, 2)), ', ',
        toString(round(latest.reclaimable_cores_high, 2)), ']'), '') AS reclaimable_cores_shown,
    latest.reasons AS reasons,
    arrayStringConcat(latest.reasons, '; ') AS reasons_shown,
    if(empty(latest.reasons), '', latest.reasons[1]) AS reason_shown,
    arrayStringConcat(latest.value_reasons, '; ') AS value_reasons_shown,
    latest.worst_shards AS worst_shards,
    arrayStringConcat(latest.worst_shards, ', ') AS worst_shards_shown,
    ifNull(estimate.recommended_change, '') AS recommended_change,
    estimate.cores_freed AS cores_freed,
    estimate.cores_freed_low AS cores_freed_low,
    estimate.cores_freed_high AS cores_freed_high,
    ifNull(estimate.cores_freed_shown, '') AS cores_freed_shown,
    estimate.usd_per_year AS usd_per_year,
    estimate.usd_per_year_low AS usd_per_year_low,
    estimate.usd_per_year_high AS usd_per_year_high,
    ifNull(estimate.usd_per_year_shown, '') AS usd_per_year_shown,
    estimate.effort_days AS recommended_effort_days,
    ifNull(toString(estimate.trust), '') AS trust,
    splitByString('; ', ifNull(estimate.trust_reasons_shown, ''))[1] AS trust_reason_shown,
    ifNull(estimate.trust_reasons_shown, '') AS trust_reasons_shown
FROM
(
    SELECT
        row_number() OVER (
            ORDER BY
                worth_usd_per_year_per_effort_day DESC,
                rank_class,
                rank_score DESC,
                origin,
                cluster,
                service,
                quota_class
            ) AS rank_position,
        row_number() OVER (
            ORDER BY
                indexOf(['collapsed', 'vulnerable'], toString(risk_band)) = 0,
                indexOf(['collapsed', 'vulnerable'], toString(risk_band)),
                ifNull(collapse_load_multiple, if(verdict = 'throttled', 1, inf)),
                ifNull(throttled_period_ratio_hour, 0) DESC,
                origin,
                cluster,
                service,
                quota_class
            ) AS risk_position,
        *
    FROM quotascope_views.service_latest
) AS latest
LEFT JOIN
(
    SELECT
        s.origin AS origin,
        s.cluster AS cluster,
        s.service AS service,
        s.quota_class AS quota_class,
        s.recommended_change AS recommended_change,
        s.cores_freed AS cores_freed,
        s.cores_freed_low AS cores_freed_low,
        s.cores_freed_high AS cores_freed_high,
        s.cores_freed_shown AS cores_freed_shown,
        s.usd_per_year AS usd_per_year,
        s.usd_per_year_low AS usd_per_year_low,
        s.usd_per_year_high AS usd_per_year_high,
        s.usd_per_year_shown AS usd_per_year_shown,
        s.effort_days AS effort_days,
        s.trust AS trust,
        s.trust_reasons_shown AS trust_reasons_shown
    FROM quotascope_views.savings_latest AS s
    WHERE s.recommended
) AS estimate
    ON estimate.origin = latest.origin AND estimate.cluster = latest.cluster AND estimate.service = latest.service
    AND estimate.quota_class = latest.quota_class
SETTINGS join_use_nulls = 1;
