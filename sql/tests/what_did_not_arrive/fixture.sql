-- Two services: 18 of 24 records came. Host h1 took 90 of 100 samples, protected itself in one minute and was not heard of after it, while h2 went on for five; before a record of its run 3 others are missing.
INSERT INTO quotascope.service_windows (origin, cluster, service, quota_class, window_start, part, version, window_us, records, expected_records)
VALUES
('measured', 'missing', 'a', '1000m/100ms', '2090-07-01 10:00:00', 0, 1, 60000000, 6, 12),
('measured', 'missing', 'b', '1000m/100ms', '2090-07-01 10:00:00', 0, 1, 60000000, 12, 12);
INSERT INTO quotascope.host_windows (origin, cluster, host_id, agent_epoch, seq, window_start, samples, missed_samples, protection_step, missing_before, version)
VALUES
('measured', 'missing', 'h1', 1, 4, '2090-07-01 10:00:00', 90, 10, 1, 3, 1),
('measured', 'missing', 'h2', 1, 1, '2090-07-01 10:00:00', 100, 0, 0, 0, 1),
('measured', 'missing', 'h2', 1, 2, '2090-07-01 10:05:00', 100, 0, 0, 0, 1);
