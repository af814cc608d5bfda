-- idle-b leaves more than idle-a; busy is no candidate; an older state of idle-b is replaced by its version; late lies outside the range.
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, version, team, shards, completeness, reserved_cores, verdict,
     reserved_core_utilization, reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, throttled_period_ratio_peak, reasons)
VALUES
('measured', 'give-back', 'idle-a', '2000m/100ms', '2090-07-01 10:03:00', 1, 'search', 2, 1, 2, 'give_back', 0.25, 1.5, 1.25, 1.75, 0, ['its peaks need 0.5 of 2']),
('measured', 'give-back', 'idle-b', '4000m/100ms', '2090-07-01 10:02:00', 1, NULL, 1, 0.5, 4, 'give_back', 0.5, 1, 0.5, 1.5, NULL, ['old']),
('measured', 'give-back', 'idle-b', '4000m/100ms', '2090-07-01 10:03:00', 2, NULL, 1, 0.5, 4, 'give_back', 0.125, 3, 2.5, 3.25, NULL, ['its peaks need 1 of 4']),
('measured', 'give-back', 'busy', '1000m/100ms', '2090-07-01 10:03:00', 1, NULL, 1, 1, 1, 'throttled', 0.9, NULL, NULL, NULL, 0.5, ['throttled']),
('measured', 'give-back', 'late', '1000m/100ms', '2090-07-02 10:00:00', 1, NULL, 1, 1, 1, 'give_back', 0.1, 0.5, 0.5, 0.5, 0, ['after']);
