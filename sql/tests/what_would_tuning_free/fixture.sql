-- Only the best set counts; an older analysis does not; a service without a price says so by null.
INSERT INTO quotascope.savings_estimates
    (origin, cluster, service, quota_class, window_start, version, team, fix_set, fix_set_order, best, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high,
     right_sizing_cores, right_sizing_cores_low, right_sizing_cores_high, savings_usd_per_year, savings_usd_per_year_low, savings_usd_per_year_high,
     cashable_usd_per_year, price_book_version, trust, recommended_change, target_reached, needs, trust_reasons)
VALUES
('measured', 'tuning', 'checkout', '2000m/100ms', '2090-07-01 10:00:00', 1, 'payments', 'pool_threads', 1, true, 9, 9, 9, 0, 0, 0, 900, 900, 900, 0, 2, 'sound', 'quota 0.90 cores a shard', true, [], []),
('measured', 'tuning', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 'as it is', 0, false, 0, 0, 0, 1, 0.5, 1.5, 0, 0, 0, 0, 3, 'sound', 'leave it as it is', true, [], []),
('measured', 'tuning', 'checkout', '2000m/100ms', '2090-07-01 10:10:00', 1, 'payments', 'pool_threads', 1, true, 4, 2, 5, 1, 0.5, 1.5, 720, 360, 900, 180, 3, 'sound', 'quota 1.50 cores a shard', true, ['a restart of each shard', 'a canary'], []),
('measured', 'tuning', 'mail', '1000m/100ms', '2090-07-01 10:10:00', 1, NULL, 'concurrency_cap', 1, true, 0.5, 0.25, 0.75, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 'doubtful', NULL, NULL, [], ['no price book', 'latency objective assumed: 50 ms']);
