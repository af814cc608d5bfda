-- Two analyses: only the newer shows. 12,500 us of sleep are 12.5 ms; half a core a shard on 4 shards is 2 cores.
INSERT INTO quotascope.what_if_outcomes
    (origin, cluster, service, quota_class, window_start, version, team, shards, scenario, scenario_kind, scenario_order, recommended,
     baseline_throttled_period_ratio, baseline_throttled_period_ratio_low, baseline_throttled_period_ratio_high,
     throttled_period_ratio, throttled_period_ratio_low, throttled_period_ratio_high, stall_us_p99, cores_saved_per_shard, effort_days, trust, setting_text, reasons)
VALUES
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:00:00', 1, 'payments', 4, 'as it is', 'as_it_is', 0, false, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 99000, 0, 0, 'sound', NULL, []),
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'as it is', 'as_it_is', 0, false, 0.25, 0.125, 0.5, 0.25, 0.125, 0.5, 12500, 0, 0, 'sound', NULL, []),
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'pool of 2 threads', 'pool_threads', 1, true, 0.25, 0.125, 0.5, 0, 0, 0.0625, 500, 0.5, 2, 'doubtful', 'threads: 2', ['polled']);
