-- Newest first; the later judgement (version 48) of change c-1 replaces the earlier; what nobody promised has no prediction.
INSERT INTO quotascope.verifications
    (origin, cluster, service, changed_at, change_id, version, window_start, kind, team, outcome, predicted_cores, predicted_cores_low, predicted_cores_high,
     realised_cores, realised_cores_low, realised_cores_high, realised_usd_per_year, priced_by, completeness, reasons)
VALUES
('measured', 'saved', 'checkout', '2090-07-01 11:00:00', 'c-1', 24, '2090-07-01 12:00:00', 'quota', 'payments', 'no_detectable_change', 2, 1, 3, 0.5, -1, 2, 90, 'acceptance', 1, ['early']),
('measured', 'saved', 'checkout', '2090-07-01 11:00:00', 'c-1', 48, '2090-07-02 12:00:00', 'quota', 'payments', 'verified', 2, 1, 3, 1.5, 1.25, 2, 270, 'acceptance', 1, ['48 matched hours']),
('measured', 'saved', 'feed', '2090-07-01 13:00:00', 'c-2', 48, '2090-07-02 12:00:00', 'deploy', NULL, 'no_detectable_change', NULL, NULL, NULL, 0, -0.5, 0.5, NULL, 'no_price', 0.5, ['nothing shows']),
('measured', 'saved', 'old', '2090-06-01 13:00:00', 'c-3', 48, '2090-07-02 12:00:00', 'deploy', NULL, 'verified', NULL, NULL, NULL, 1, 1, 1, NULL, 'no_price', 1, ['before the range']);
