-- Two hours of one day: 60 of 200 periods throttled (30 %), 7,200 s of CPU in 2 h = 1 core; a later part of the second hour replaces it. The next day has one hour.
INSERT INTO quotascope.service_hours
    (origin, cluster, service, quota_class, window_start, part, version, window_us, periods, throttled_periods, usage_us, used_cores_max, records, expected_records)
VALUES
('measured', 'trend', 'checkout', '1000m/100ms', '2090-07-01 10:00:00', 0, 1, 3600000000, 100, 10, 1800000000, 0.75, 10, 10),
('measured', 'trend', 'checkout', '1000m/100ms', '2090-07-01 11:00:00', 0, 1, 3600000000, 50, 50, 1, 9, 1, 10),
('measured', 'trend', 'checkout', '1000m/100ms', '2090-07-01 11:00:00', 4225345, 1, 3600000000, 100, 50, 5400000000, 2, 8, 10),
('measured', 'trend', 'checkout', '1000m/100ms', '2090-07-02 09:00:00', 0, 1, 3600000000, 0, 0, 0, 0, 0, 0);
