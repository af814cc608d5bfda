-- big (120 shards of 1 core, 3 threads a core) is above 1 and 2 in both scopes; small (2 shards of 2 cores, 12 a core) above all, in all services only; one is not measured.
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, version, shards, reserved_cores, savings_usd_per_year, runnable_threads_per_reserved_core_p99)
VALUES
('measured', 'levels', 'big', '1000m/100ms', '2090-07-01 10:00:00', 1, 120, 1, 1000, 3),
('measured', 'levels', 'small', '2000m/100ms', '2090-07-01 10:00:00', 1, 2, 2, NULL, 12),
('measured', 'levels', 'polled', '2000m/100ms', '2090-07-01 10:00:00', 1, 2, 2, 50, NULL);
