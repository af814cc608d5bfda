-- One row: one scenario of the latest analysis of a service and quota class. What-if pages and reports read this; what_if_outcomes keeps the history.
-- The recommended change is no scenario of this job: its row, with scenario_order -1, is that of savings_latest, as every other page shows it. Its ratios and delays are those at peak: load_shown says of each row at which load.
-- cores_saved: another quota takes its reservation along, in proportion, and the recommended change says what it frees. A fix by itself leaves quota and reservation as they are, so it has none.
-- The *_shown columns are the same numbers as words, with their interval [5th, 95th percentile].
-- A class that was not analysed for a day has no latest analysis: totals of the fleet leave it out as well (fleet_totals).
CREATE OR REPLACE VIEW quotascope_views.what_if_latest
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    outcome.origin AS origin,
    outcome.cluster AS cluster,
    outcome.service AS service,
    outcome.quota_class AS quota_class,
    outcome.window_start AS window_start,
    outcome.team AS team,
    outcome.shards AS shards,
    outcome.completeness AS completeness,
    outcome.quota_cores AS quota_cores,
    outcome.reserved_cores AS reserved_cores,
    outcome.scenario_order AS scenario_order,
    outcome.scenario AS scenario,
    outcome.scenario_kind AS scenario_kind,
    outcome.scenario_quota_cores AS scenario_quota_cores,
    false AS recommended,
    '' AS recommended_shown,
    outcome.baseline_throttled_period_ratio AS baseline_throttled_period_ratio,
    outcome.baseline_throttled_period_ratio_low AS baseline_throttled_period_ratio_low,
    outcome.baseline_throttled_period_ratio_high AS baseline_throttled_period_ratio_high,
    outcome.throttled_period_ratio AS throttled_period_ratio,
    outcome.throttled_period_ratio_low AS throttled_period_ratio_low,
    outcome.throttled_period_ratio_high AS throttled_period_ratio_high,
    ifNull(concat(toString(round(100 * outcome.throttled_period_ratio, 1)), ' % [', toString(round(100 * outcome.throttled_period_ratio_low, 1)), ', ',
        toString(round(100 * outcome.throttled_period_ratio_high, 1)), ']'), '') AS throttled_period_ratio_shown,
    outcome.baseline_stall_us_p99 AS baseline_stall_us_p99,
    outcome.stall_us_p99 AS stall_us_p99,
    outcome.baseline_delay_us_p99 AS baseline_delay_us_p99,
    outcome.delay_us_p99 AS delay_us_p99,
    outcome.stall_us_p99 / 1000 AS stall_ms_p99,
    outcome.delay_us_p99 / 1000 AS delay_ms_p99,
    concat('the hour to ', formatDateTime(outcome.window_start + INTERVAL 1 MINUTE, '%m-%d %H:%i'), if(outcome.scenario_kind = 'load', ', × as named', '')) AS load_shown,
    CAST(NULL, 'Nullable(Float64)') AS headroom,
    CAST(NULL, 'Nullable(Bool)') AS target_reached,
    cores_saved / outcome.shards AS cores_saved_per_shard,
    multiIf(
        outcome.scenario_kind = 'as_it_is', 0.,
        outcome.scenario_kind = 'quota', outcome.reserved_cores * outcome.shards * (1 - outcome.scenario_quota_cores / outcome.quota_cores),
        NULL) AS cores_saved,
    CAST(NULL, 'Nullable(Float64)') AS effort_days,
    outcome.trust AS trust,
    ifNull(outcome.setting_text, '') AS setting_text,
    arrayStringConcat(outcome.reasons, '; ') AS reasons_shown
FROM
(
    SELECT *, analysis_order
    FROM quotascope.what_if_latest
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
        AND (origin, cluster, service, quota_class) NOT IN (SELECT origin, cluster, service, quota_class FROM quotascope_views.ended_quota_classes)
) AS outcome
INNER JOIN
(
    -- What the newest analysis no longer has, or words otherwise, stays behind with an older instant, part or version.
    SELECT origin, cluster, service, quota_class, max(analysis_order) AS newest
    FROM quotascope.what_if_latest
    GROUP BY origin, cluster, service, quota_class
) AS last
    ON last.origin = outcome.origin AND last.cluster = outcome.cluster AND last.service = outcome.service
    AND last.quota_class = outcome.quota_class AND last.newest = outcome.analysis_order
WHERE outcome.scenario_kind != 'recommended'
UNION ALL
SELECT
    advised.origin AS origin,
    advised.cluster AS cluster,
    advised.service AS service,
    advised.quota_class AS quota_class,
    advised.window_start AS window_start,
    advised.team AS team,
    advised.shards AS shards,
    advised.completeness AS completeness,
    advised.quota_cores AS quota_cores,
    advised.reserved_cores_total / advised.shards AS reserved_cores,
    -1 AS scenario_order,
    ifNull(advised.recommended_change, advised.fix_set) AS scenario,
    'recommended' AS scenario_kind,
    advised.quota_cores_after AS scenario_quota_cores,
    true AS recommended,
    '★' AS recommended_shown,
    advised.throttled_period_ratio_now AS baseline_throttled_period_ratio,
    advised.throttled_period_ratio_now AS baseline_throttled_period_ratio_low,
    advised.throttled_period_ratio_now AS baseline_throttled_period_ratio_high,
    advised.throttled_period_ratio_after AS throttled_period_ratio,
    advised.throttled_period_ratio_after_low AS throttled_period_ratio_low,
    advised.throttled_period_ratio_after_high AS throttled_period_ratio_high,
    advised.throttled_period_ratio_after_shown AS throttled_period_ratio_shown,
    CAST(NULL, 'Nullable(Float64)') AS baseline_stall_us_p99,
    CAST(NULL, 'Nullable(Float64)') AS stall_us_p99,
    advised.tail_delay_us_now AS baseline_delay_us_p99,
    advised.tail_delay_us_after AS delay_us_p99,
    CAST(NULL, 'Nullable(Float64)') AS stall_ms_p99,
    advised.tail_delay_ms_after AS delay_ms_p99,
    ifNull(concat('peak of 14 days: × ', toString(round(advised.peak_load_multiple, 2))), 'peak of 14 days') AS load_shown,
    advised.headroom_after AS headroom,
    advised.target_reached AS target_reached,
    advised.cores_freed / advised.shards AS cores_saved_per_shard,
    advised.cores_freed AS cores_saved,
    toNullable(advised.effort_days) AS effort_days,
    advised.trust AS trust,
    advised.setting_text AS setting_text,
    advised.reasons_shown AS reasons_shown
FROM quotascope_views.savings_latest AS advised
WHERE advised.recommended AND advised.throttled_period_ratio_after IS NOT NULL;
