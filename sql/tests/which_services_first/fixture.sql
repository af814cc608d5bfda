-- Far-ahead dates: rows of today would outlive neither the TTL nor this test. The range asked for is [10:00, 10:05).
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, part, version, team, shards, completeness, quota_cores, reserved_cores,
     horizon_us, horizon_windows, verdict, rank_class, rank_score, throttled_period_ratio, throttled_period_ratio_hour, throttled_us_per_throttled_period,
     excursion_ratio, reserved_core_utilization, used_cores_p99, threads_per_reserved_core_p99,
     reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, reasons, worst_shards)
VALUES
-- checkout: an older minute that must not show, then the minute that replaces it.
('measured', 'report', 'checkout', '2000m/100ms', '2090-07-01 10:02:00', 0, 10, 'payments', 2, 1, 2, 2,
 600000000, 9, 'throttled', 1, 9.9, 0.9, 0.9, 9000, 0.5, 0.9, 2.5, 16, NULL, NULL, NULL, ['old minute'], ['checkout-1']),
('measured', 'report', 'checkout', '2000m/100ms', '2090-07-01 10:03:00', 4225345, 11, 'payments', 2, 1, 2, 2,
 600000000, 10, 'throttled', 1, 2.0, 0.5, 0.375, 12500, 0.25, 0.75, 2.5, 16, NULL, NULL, NULL,
 ['throttled in 50.0 % of its periods', 'its pool outnumbers its cores 16 to 1'], ['checkout-1', 'checkout-0']),
-- search: throttled harder per shard but with fewer cores at stake, so below checkout.
('measured', 'report', 'search', '500m/100ms', '2090-07-01 10:03:00', 0, 10, NULL, 1, 1, 0.5, 0.5,
 600000000, 10, 'throttled', 1, 0.4, 0.8, 0.75, 30000, 0.4, 0.9, 0.6, 8, NULL, NULL, NULL, ['throttled in 80.0 % of its periods'], ['search-0']),
-- idle: give_back comes after every throttled service of unknown worth, although its score is greater.
('measured', 'report', 'reports-idle', '4000m/100ms', '2090-07-01 10:03:00', 0, 10, 'platform', 1, NULL, 4, 4,
 600000000, 10, 'give_back', 2, 3.5, 0, 0, NULL, 0, 0.01, 0.05, 1, 3.5, 3.25, 3.75, ['its 10 ms peaks need 0.5 cores of 4'], []),
-- a replayed service of the same name is another row.
('replayed', 'report', 'search', '500m/100ms', '2090-07-01 10:03:00', 0, 10, NULL, 1, 1, 0.5, 0.5,
 600000000, 2, 'unknown', 4, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ['too few samples'], []),
-- outside of the range on both sides: 09:59 is before it, 10:05 is its exclusive end.
('measured', 'report', 'gone', '1000m/100ms', '2090-07-01 09:59:00', 0, 10, NULL, 1, 1, 1, 1,
 600000000, 10, 'throttled', 1, 99, 0.9, 0.9, 9000, 0.5, 0.9, 1, 8, NULL, NULL, NULL, ['before'], []),
('measured', 'report', 'future', '1000m/100ms', '2090-07-01 10:05:00', 0, 10, NULL, 1, 1, 1, 1,
 600000000, 10, 'throttled', 1, 99, 0.9, 0.9, 9000, 0.5, 0.9, 1, 8, NULL, NULL, NULL, ['after'], []);
-- Known worth comes first, whatever the verdict: 1,200 x 0.7 / 2 = 420 a day of work is more than 900 x 0.9 / 4 = 202.5.
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, version, shards, completeness, reserved_cores, horizon_us, horizon_windows, verdict, rank_class,
     rank_score, fix_set, tunable_cores, tunable_cores_low, tunable_cores_high, savings_usd_per_year, savings_usd_per_year_low, savings_usd_per_year_high,
     success_probability, effort_days, savings_usd_per_year_per_effort_day, worth_usd_per_year_per_effort_day, risk_removed, collapse_load_multiple, collapse_load_multiple_low,
     collapse_load_multiple_high, reasons)
VALUES
('measured', 'report', 'mail', '1000m/100ms', '2090-07-01 10:03:00', 10, 8, 1, 1, 600000000, 10, 'throttled', 1,
 5, 'burst', 4.5, 4, 5, 900, 800, 1000, 0.9, 4, 202.5, 202.5, 0.1, 1.25, 1, 1.5, ['throttled in 10.0 % of its periods']),
('measured', 'report', 'feed', '1000m/100ms', '2090-07-01 10:03:00', 10, 8, 1, 1, 600000000, 10, 'healthy', 3,
 0, 'thread pools', 6, 5, 7, 1200, 1000, 1400, 0.7, 2, 420, 420, 0, NULL, NULL, NULL, ['0.0 % of periods throttled']);
-- The recommended change of one of them, doubtful: its trust and what limits it, without the figures, stand beside it.
INSERT INTO quotascope.savings_estimates
    (origin, cluster, service, quota_class, window_start, version, shards, fix_set, best, recommended_change, right_sizing_cores, right_sizing_cores_low,
     right_sizing_cores_high, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, right_sizing_usd_per_year, right_sizing_usd_per_year_low,
     right_sizing_usd_per_year_high, savings_usd_per_year, savings_usd_per_year_low, savings_usd_per_year_high, trust, reasons, trust_reasons)
VALUES
('measured', 'report', 'feed', '1000m/100ms', '2090-07-01 10:00:00', 1, 8, 'thread pools', true, 'quota 0.50 cores a shard, thread pools', 1, 0.5, 1.5,
 6, 5, 7, 200, 100, 300, 1200, 1000, 1400, 'doubtful', ['the same reservation carries 1.60 times the load (1.30 .. 1.84)', 'the peak is that of 1 hour only, not of weeks'],
 ['the peak is that of 1 hour only, not of weeks']);
