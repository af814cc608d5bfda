-- host-a: two hours of slice-expiry, 1 core stranded in the first and 2 in the second; a late part of the second replaces its first row. host-b: sound.
-- host-a's kernel also has a rule that does not show in behaviour: no stranded cores. host-c was judged before the range.
INSERT INTO quotascope.kernel_findings
    (origin, cluster, host_id, window_start, window_us, part, version, kernel_release, rule, evidence, rule_standing, verdict, behavioural_signature,
     cpus, shards, shards_throttled, shards_stranded, stranded_cores, stranded_cores_low, stranded_cores_high, completeness, reasons)
VALUES
('measured', 'kernels', 'host-a', '2090-07-01 10:00:00', 3600000000, 0, 6, '4.14.0', 'slice-expiry', 'SC', 'applies', 'affected_not_seen', false, 8, 4, 2, 0, 1, 0.5, 2, 1, ['old']),
('measured', 'kernels', 'host-a', '2090-07-01 11:00:00', 3600000000, 0, 6, '4.14.0', 'slice-expiry', 'SC', 'applies', 'affected_not_seen', false, 8, 4, 2, 0, 9, 9, 9, 0.5, ['part 0']),
('measured', 'kernels', 'host-a', '2090-07-01 11:00:00', 3600000000, 4225345, 6, '4.14.0', 'slice-expiry', 'SC', 'applies', 'confirmed', true, 8, 4, 2, 2, 2, 1.5, 3, 0.75, ['usage does not explain it']),
('measured', 'kernels', 'host-a', '2090-07-01 11:00:00', 3600000000, 0, 6, '4.14.0', 'period-scaling', 'S', 'applies', 'affected_not_seen', NULL, 8, 4, 2, 0, NULL, NULL, NULL, 1, ['by version']),
('measured', 'kernels', 'host-b', '2090-07-01 11:00:00', 3600000000, 0, 6, '6.1.0', 'slice-expiry', 'SC', 'does_not_apply', 'sound', false, 8, 4, 0, 0, 0, 0, 0, 1, []),
('measured', 'kernels', 'host-c', '2090-07-01 09:00:00', 3600000000, 0, 6, '4.14.0', 'slice-expiry', 'SC', 'applies', 'confirmed', true, 8, 4, 2, 2, 5, 5, 5, 1, []);
