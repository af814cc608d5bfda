-- Twice the quota, of 1 core (a, b) and of 2 cores (c), is one policy. a is helped (0..0.1 below 0.2..0.4), b is harmed (0.5..0.6 above 0.1..0.2), c is neither.
-- c's period and the recommended changes (of savings) are policies of their own; more load is none, and what the job once recommended counts no more.
INSERT INTO quotascope.what_if_outcomes
    (origin, cluster, service, quota_class, window_start, version, shards, quota_cores, scenario, scenario_kind, scenario_quota_cores, scenario_order,
     baseline_throttled_period_ratio_low, baseline_throttled_period_ratio_high,
     throttled_period_ratio_low, throttled_period_ratio_high, trust)
VALUES
('measured', 'policy', 'a', '1000m/100ms', '2090-07-01 10:00:00', 1, 2, 1, 'quota 2.00 cores (x2)', 'quota', 2, 1, 0.2, 0.4, 0, 0.1, 'sound'),
('measured', 'policy', 'b', '1000m/100ms', '2090-07-01 10:10:00', 1, 2, 1, 'quota 2.00 cores (x2)', 'quota', 2, 1, 0.1, 0.2, 0.5, 0.6, 'doubtful'),
('measured', 'policy', 'c', '2000m/100ms', '2090-07-01 10:10:00', 1, 2, 2, 'quota 4.00 cores (x2)', 'quota', 4, 1, 0.1, 0.4, 0.3, 0.5, 'sound'),
('measured', 'policy', 'c', '2000m/100ms', '2090-07-01 10:10:00', 1, 2, 2, 'period 20 ms', 'period', 2, 2, 0.1, 0.4, 0.1, 0.4, 'sound'),
('measured', 'policy', 'c', '2000m/100ms', '2090-07-01 10:10:00', 1, 2, 2, 'recommended', 'recommended', 3, 3, 0.1, 0.4, 0, 0.05, 'sound'),
('measured', 'policy', 'c', '2000m/100ms', '2090-07-01 10:10:00', 1, 2, 2, 'load x1.6', 'load', 2, 4, 0.1, 0.4, 0.6, 0.9, 'sound');
-- Savings say what the same fixes free: thread pools 2 [1, 3] for a and 1 [0.5, 1.5] for b: added end by end. They are recommended to a, with burst to c (so to two services in all); to b no change.
-- Of a policy without such an estimate cores are not known. One host of two behaves as its kernel's fault says: 1.5 [1, 2] cores; its older hour is not added. It has a second fault, which tells the same loss: both rows say so.
INSERT INTO quotascope.what_if_outcomes
    (origin, cluster, service, quota_class, window_start, version, shards, quota_cores, scenario, scenario_kind, scenario_quota_cores, scenario_order,
     baseline_throttled_period_ratio_low, baseline_throttled_period_ratio_high,
     throttled_period_ratio_low, throttled_period_ratio_high, trust)
VALUES
('measured', 'policy', 'a', '1000m/100ms', '2090-07-01 10:00:00', 1, 2, 1, 'at most 1 threads run at once', 'pool_threads', 1, 5, 0.2, 0.4, 0, 0.1, 'sound');
INSERT INTO quotascope.savings_estimates
    (origin, cluster, service, quota_class, window_start, version, fix_set, fix_set_order, best, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high,
     throttled_period_ratio_now, throttled_period_ratio_after, throttled_period_ratio_after_low, throttled_period_ratio_after_high, trust)
VALUES
('measured', 'policy', 'a', '1000m/100ms', '2090-07-01 10:00:00', 1, 'thread pools', 1, true, 2, 1, 3, 0.3, 0, 0, 0.05, 'sound'),
('measured', 'policy', 'b', '1000m/100ms', '2090-07-01 10:00:00', 1, 'thread pools', 1, false, 1, 0.5, 1.5, 0.1, 0, 0, 0.2, 'sound'),
('measured', 'policy', 'b', '1000m/100ms', '2090-07-01 10:00:00', 1, 'as it is', 0, true, 0, 0, 0, 0.1, 0.1, 0, 0.2, 'doubtful'),
('measured', 'policy', 'c', '1000m/100ms', '2090-07-01 10:00:00', 1, 'thread pools + burst', 2, true, 4, 3, 5, 0.4, 0, 0, 0.05, 'sound');
INSERT INTO quotascope.kernel_findings
    (origin, cluster, host_id, window_start, version, kernel_release, rule, verdict, stranded_cores, stranded_cores_low, stranded_cores_high)
VALUES
('measured', 'policy', 'host-a', '2090-07-01 09:00:00', 1, '4.14.0', 'slice-expiry', 'confirmed', 7, 7, 7),
('measured', 'policy', 'host-a', '2090-07-01 10:00:00', 1, '4.14.0', 'slice-expiry', 'confirmed', 1.5, 1, 2),
('measured', 'policy', 'host-b', '2090-07-01 10:00:00', 1, '6.1.0', 'slice-expiry', 'sound', 9, 9, 9),
('measured', 'policy', 'host-a', '2090-07-01 10:00:00', 1, '4.14.0', 'expiry-skew', 'behaves_affected', 1.25, 1, 1.5),
('measured', 'policy', 'host-c', '2090-07-01 10:00:00', 1, '4.14.0', 'slice-expiry', 'confirmed', 0.5, 0.25, 0.75);
-- What all recommended changes of the cluster free together, right-sizing and tuning less what others need, is drawn by the savings job; an older total, a team's and another origin's are not it.
INSERT INTO quotascope.fleet_totals
    (origin, total_of, total_name, cluster, team, window_start, version, services, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high,
     right_sizing_cores, right_sizing_cores_low, right_sizing_cores_high, net_cores, net_cores_low, net_cores_high)
VALUES
('measured', 'cluster', 'policy', 'policy', NULL, '2090-07-01 09:50:00', 1, 3, 99, 99, 99, 9, 9, 9, 99, 99, 99),
('measured', 'cluster', 'policy', 'policy', NULL, '2090-07-01 10:00:00', 1, 3, 4.5, 3.5, 5.5, 2, 1.5, 2.5, 5.25, 4, 6.5),
('measured', 'team', 'policy', NULL, 'policy', '2090-07-01 10:00:00', 1, 3, 77, 77, 77, 7, 7, 7, 77, 77, 77),
('simulated', 'cluster', 'policy', 'policy', NULL, '2090-07-01 10:10:00', 1, 3, 88, 88, 88, 8, 8, 8, 88, 88, 88);
