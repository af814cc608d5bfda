-- Two analyses: only the newer shows. 12,500 us of sleep are 12.5 ms. The recommended change is that of savings: 1.5 cores of right-sizing and 0.5 of the pool are 2; a pool by itself leaves the reservation as it is, so its cores are not told; what stays as it is frees nothing.
INSERT INTO quotascope.what_if_outcomes
    (origin, cluster, service, quota_class, window_start, version, team, shards, scenario, scenario_kind, scenario_order,
     baseline_throttled_period_ratio, baseline_throttled_period_ratio_low, baseline_throttled_period_ratio_high,
     throttled_period_ratio, throttled_period_ratio_low, throttled_period_ratio_high, stall_us_p99, trust, setting_text, reasons)
VALUES
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:00:00', 1, 'payments', 4, 'as it is', 'as_it_is', 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 99000, 'sound', NULL, []),
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'as it is', 'as_it_is', 0, 0.25, 0.125, 0.5, 0.25, 0.125, 0.5, 12500, 'sound', NULL, []),
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'pool of 2 threads', 'pool_threads', 1, 0.25, 0.125, 0.5, 0, 0, 0.0625, 500, 'doubtful', 'threads: 2', ['polled']);
INSERT INTO quotascope.savings_estimates
    (origin, cluster, service, quota_class, window_start, version, team, shards, fix_set, fix_set_order, best, right_sizing_cores, right_sizing_cores_low,
     right_sizing_cores_high, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, recommended_change, target_reached,
     throttled_period_ratio_now, throttled_period_ratio_after, throttled_period_ratio_after_low, throttled_period_ratio_after_high, effort_days, trust, setting_text)
VALUES
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'right-sizing', 0, false, 1.5, 1, 2, 0, 0, 0, 'quota 1.63 cores a shard', true,
 0.25, 0.0078125, 0, 0.0625, 0.5, 'sound', 'quota'),
('measured', 'what-if', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 4, 'thread pools', 1, true, 1.5, 1, 2, 0.5, 0.25, 0.75,
 'quota 1.50 cores a shard, at most 2 threads at once', true, 0.25, 0, 0, 0.0625, 3, 'doubtful', 'threads: 2');
