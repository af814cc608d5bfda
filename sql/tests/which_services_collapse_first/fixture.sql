-- near stands before far; a service whose cliff is not known is no answer.
INSERT INTO quotascope.service_latest
    (origin, cluster, service, quota_class, window_start, version, team, shards, completeness, verdict, risk_band,
     collapse_load_multiple, collapse_load_multiple_low, collapse_load_multiple_high, death_spiral_risk, throttled_period_ratio_hour, setting_text)
VALUES
('measured', 'cliff', 'far', '2000m/100ms', '2090-07-01 10:03:00', 1, 'search', 2, 1, 'healthy', 'stable', 3, 2.5, 4, 0.0625, 0, NULL),
('measured', 'cliff', 'near', '1000m/100ms', '2090-07-01 10:03:00', 1, 'payments', 3, 1, 'throttled', 'vulnerable', 1.25, 1, 1.5, 0.5, 0.25, 'cpu: 2'),
('measured', 'cliff', 'unknown', '1000m/100ms', '2090-07-01 10:03:00', 1, NULL, 1, 1, 'unknown', 'unknown', NULL, NULL, NULL, NULL, NULL, NULL);
