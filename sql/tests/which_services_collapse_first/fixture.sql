-- near stands before far; a service whose cliff is not known is no answer.
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, version, team, shards, completeness, verdict, risk_band,
     collapse_load_multiple, collapse_load_multiple_low, collapse_load_multiple_high, death_spiral_risk, throttled_period_ratio_hour, setting_text)
VALUES
('measured', 'cliff', 'far', '2000m/100ms', '2090-07-01 10:03:00', 1, 'search', 2, 1, 'healthy', 'stable', 3, 2.5, 4, 0.0625, 0, NULL),
('measured', 'cliff', 'near', '1000m/100ms', '2090-07-01 10:03:00', 1, 'payments', 3, 1, 'throttled', 'vulnerable', 1.25, 1, 1.5, 0.5, 0.25, 'cpu: 2'),
('measured', 'cliff', 'unknown', '1000m/100ms', '2090-07-01 10:03:00', 1, NULL, 1, 1, 'unknown', 'unknown', NULL, NULL, NULL, NULL, NULL, NULL);
-- The recommended change of one of them, doubtful: its trust and what limits it, without the figures, stand beside it.
INSERT INTO quotascope.savings_estimates
    (origin, cluster, service, quota_class, window_start, version, shards, fix_set, best, recommended_change, right_sizing_cores, right_sizing_cores_low,
     right_sizing_cores_high, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, right_sizing_usd_per_year, right_sizing_usd_per_year_low,
     right_sizing_usd_per_year_high, savings_usd_per_year, savings_usd_per_year_low, savings_usd_per_year_high, trust, reasons, trust_reasons)
VALUES
('measured', 'cliff', 'near', '1000m/100ms', '2090-07-01 10:00:00', 1, 8, 'thread pools', true, 'quota 0.50 cores a shard, thread pools', 1, 0.5, 1.5,
 6, 5, 7, 200, 100, 300, 1200, 1000, 1400, 'doubtful', ['the same reservation carries 1.60 times the load (1.30 .. 1.84)', 'the peak is that of 1 hour only, not of weeks'],
 ['the peak is that of 1 hour only, not of weeks']);
