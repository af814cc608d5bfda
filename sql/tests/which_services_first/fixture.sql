-- Far-ahead dates: rows of today would outlive neither the TTL nor this test. The range asked for is [10:00, 10:05).
INSERT INTO quotascope.tuning_ranks
    (origin, cluster, service, quota_class, window_start, part, version, team, shards, completeness, quota_cores, reserved_cores,
     horizon_us, horizon_windows, verdict, rank_class, rank_score, throttled_period_ratio, throttled_us_per_throttled_period,
     excursion_ratio, reserved_core_utilization, used_cores_p99, threads_per_reserved_core,
     reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, reasons, worst_shards)
VALUES
-- checkout: an older minute that must not show, then the minute that must, in part 0 and in a higher part that replaces it.
('measured', 'report', 'checkout', '2000m/100ms', '2090-07-01 10:02:00', 0, 4294967297, 'payments', 2, 1, 2, 2,
 600000000, 9, 'throttled', 1, 9.9, 0.9, 9000, 0.5, 0.9, 2.5, 16, NULL, NULL, NULL, ['old minute'], ['checkout-1']),
('measured', 'report', 'checkout', '2000m/100ms', '2090-07-01 10:03:00', 0, 4294967297, 'payments', 2, 0.5, 2, 2,
 600000000, 10, 'throttled', 1, 1.0, 0.25, 8000, 0.125, 0.5, 2.5, 16, NULL, NULL, NULL, ['part 0'], ['checkout-1']),
('measured', 'report', 'checkout', '2000m/100ms', '2090-07-01 10:03:00', 4225345, 4294967297, 'payments', 2, 1, 2, 2,
 600000000, 10, 'throttled', 1, 2.0, 0.5, 12500, 0.25, 0.75, 2.5, 16, NULL, NULL, NULL,
 ['throttled in 50.0 % of its periods', 'its pool outnumbers its cores 16 to 1'], ['checkout-1', 'checkout-0']),
-- search: throttled harder per shard but with fewer cores at stake, so below checkout.
('measured', 'report', 'search', '500m/100ms', '2090-07-01 10:03:00', 0, 4294967296, NULL, 1, 1, 0.5, 0.5,
 600000000, 10, 'throttled', 1, 0.4, 0.8, 30000, 0.4, 0.9, 0.6, 8, NULL, NULL, NULL, ['throttled in 80.0 % of its periods'], ['search-0']),
-- idle: give_back comes after every throttled service, although its score is greater.
('measured', 'report', 'reports-idle', '4000m/100ms', '2090-07-01 10:03:00', 0, 4294967297, 'platform', 1, NULL, 4, 4,
 600000000, 10, 'give_back', 2, 3.5, 0, NULL, 0, 0.01, 0.05, 1, 3.5, 3.25, 3.75, ['its 10 ms peaks need 0.5 cores of 4'], []),
-- a replayed service of the same name is another row.
('replayed', 'report', 'search', '500m/100ms', '2090-07-01 10:03:00', 0, 4294967296, NULL, 1, 1, 0.5, 0.5,
 600000000, 2, 'unknown', 4, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ['too few samples'], []),
-- outside of the range on both sides: 09:59 is before it, 10:05 is its exclusive end.
('measured', 'report', 'gone', '1000m/100ms', '2090-07-01 09:59:00', 0, 4294967296, NULL, 1, 1, 1, 1,
 600000000, 10, 'throttled', 1, 99, 0.9, 9000, 0.5, 0.9, 1, 8, NULL, NULL, NULL, ['before'], []),
('measured', 'report', 'future', '1000m/100ms', '2090-07-01 10:05:00', 0, 4294967296, NULL, 1, 1, 1, 1,
 600000000, 10, 'throttled', 1, 99, 0.9, 9000, 0.5, 0.9, 1, 8, NULL, NULL, NULL, ['after'], []);
