-- payments, Q1: r-1 promised 2 [1, 3] and is credited 2 cores, 400 USD; its change realised 1.5 [1, 2] cores, 300 USD.
-- payments, Q2: r-2 promised 1 [0.5, 1.5], its cores are those of r-1: credited 0. Two changes: 1 [0.5, 1.5] and -0.5 [-1, 0], one of too little evidence is left out.
-- r-3 was only proposed: no promise. The service without an owner stands apart. The range begins inside the first quarter and takes it whole.
INSERT INTO quotascope.service_latest (origin, cluster, service, quota_class, window_start, version, team) VALUES
('measured', 'quarters', 'a', 'q', '2090-07-01 10:00:00', 1, 'payments');
INSERT INTO quotascope.recommendations
    (origin, cluster, service, recommendation_id, version, quota_class, state, state_at, proposed_at, accepted_at, fix_set, setting_text,
     reclaimable_cores, reclaimable_cores_low, reclaimable_cores_high, credited_cores, credited_usd_per_year, price_book_version)
VALUES
('measured', 'quarters', 'a', 'r-1', 1, 'q', 'proposed', '2090-01-10 00:00:00', '2090-01-10 00:00:00', NULL, ['pools'], 'x', 2, 1, 3, 0, 0, 3),
('measured', 'quarters', 'a', 'r-1', 2, 'q', 'accepted', '2090-01-11 00:00:00', '2090-01-10 00:00:00', '2090-01-11 00:00:00', ['pools'], 'x', 2, 1, 3, 2, 400, 3),
('measured', 'quarters', 'a', 'r-2', 2, 'q', 'accepted', '2090-04-11 00:00:00', '2090-04-10 00:00:00', '2090-04-11 00:00:00', ['burst'], 'x', 1, 0.5, 1.5, 0, 0, 4),
('measured', 'quarters', 'b', 'r-3', 1, 'q', 'proposed', '2090-04-10 00:00:00', '2090-04-10 00:00:00', NULL, ['burst'], 'x', 7, 7, 7, 0, 0, 4);
INSERT INTO quotascope.verifications
    (origin, cluster, service, changed_at, change_id, version, window_start, kind, team, outcome, settled,
     realised_cores, realised_cores_low, realised_cores_high, realised_usd_per_year, price_book_version)
VALUES
('measured', 'quarters', 'a', '2090-02-01 00:00:00', 'c-1', 1, '2090-02-08 00:00:00', 'pools', 'payments', 'verified', true, 1.5, 1, 2, 300, 3),
('measured', 'quarters', 'a', '2090-05-01 00:00:00', 'c-2', 1, '2090-05-08 00:00:00', 'burst', 'payments', 'verified', true, 1, 0.5, 1.5, 200, 4),
('measured', 'quarters', 'a', '2090-05-02 00:00:00', 'c-3', 1, '2090-05-08 00:00:00', 'deploy', 'payments', 'no_detectable_change', true, -0.5, -1, 0, -100, 4),
('measured', 'quarters', 'a', '2090-05-03 00:00:00', 'c-4', 1, '2090-05-08 00:00:00', 'deploy', 'payments', 'too_little_evidence', true, 9, 9, 9, 9, 4),
('measured', 'quarters', 'b', '2090-05-03 00:00:00', 'c-5', 1, '2090-05-08 00:00:00', 'deploy', NULL, 'verified', true, 0.25, 0, 0.5, 50, 4);
