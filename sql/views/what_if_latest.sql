-- One row: one scenario of the latest analysis of a service and quota class. What-if pages and reports read this; what_if_outcomes keeps the history.
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
    outcome.recommended AS recommended,
    if(outcome.recommended, '★', '') AS recommended_shown,
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
    outcome.headroom AS headroom,
    outcome.target_reached AS target_reached,
    outcome.cores_saved_per_shard AS cores_saved_per_shard,
    outcome.cores_saved_per_shard * outcome.shards AS cores_saved,
    outcome.effort_days AS effort_days,
    outcome.trust AS trust,
    ifNull(outcome.setting_text, '') AS setting_text,
    arrayStringConcat(outcome.reasons, '; ') AS reasons_shown
FROM
(
    SELECT *
    FROM quotascope.what_if_latest
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
) AS outcome
INNER JOIN
(
    -- What the newest analysis no longer has stays behind with an older instant.
    SELECT origin, cluster, service, quota_class, max(window_start) AS newest
    FROM quotascope.what_if_latest
    GROUP BY origin, cluster, service, quota_class
) AS last
    ON last.origin = outcome.origin AND last.cluster = outcome.cluster AND last.service = outcome.service
    AND last.quota_class = outcome.quota_class AND last.newest = outcome.window_start;
