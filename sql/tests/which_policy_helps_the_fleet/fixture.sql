-- quota x 2: a is helped (0..0.1 below 0.2..0.4), b is harmed (0.5..0.6 above 0.1..0.2), c is neither (intervals overlap). One of the three reaches the target and frees 0.5 x 2 cores.
INSERT INTO quotascope.what_if_outcomes
    (origin, cluster, service, quota_class, window_start, version, shards, scenario, scenario_kind, scenario_order, recommended, target_reached,
     baseline_throttled_period_ratio_low, baseline_throttled_period_ratio_high, throttled_period_ratio_low, throttled_period_ratio_high, cores_saved_per_shard, trust)
VALUES
('measured', 'policy', 'a', '1000m/100ms', '2090-07-01 10:00:00', 1, 2, 'quota x 2', 'quota', 1, true, true, 0.2, 0.4, 0, 0.1, 0.5, 'sound'),
('measured', 'policy', 'b', '1000m/100ms', '2090-07-01 10:10:00', 1, 2, 'quota x 2', 'quota', 1, false, NULL, 0.1, 0.2, 0.5, 0.6, 0.5, 'doubtful'),
('measured', 'policy', 'c', '1000m/100ms', '2090-07-01 10:10:00', 1, 2, 'quota x 2', 'quota', 1, false, false, 0.1, 0.4, 0.3, 0.5, 0.5, 'sound'),
('measured', 'policy', 'c', '1000m/100ms', '2090-07-01 10:10:00', 1, 2, 'period 20 ms', 'period', 2, false, NULL, 0.1, 0.4, 0.1, 0.4, 0, 'sound');
