-- The newest totals only; the fleet first. A team that is short of cores has a negative net; a version that did not tell has none.
-- An origin of its own: the newest instant of an origin is that of all its clusters.
INSERT INTO quotascope.fleet_totals
    (origin, total_of, total_name, cluster, team, window_start, version, services, reserved_cores_total, reclaimable_cores, right_sizing_cores, short_classes,
     freed_cores, freed_cores_low, freed_cores_high, needed_cores, needed_cores_low, needed_cores_high, net_cores, net_cores_low, net_cores_high,
     net_usd_per_year, net_usd_per_year_low, net_usd_per_year_high, unknown_classes, unpriced_classes, reasons)
VALUES
('replayed', 'fleet', 'fleet', NULL, NULL, '2090-07-01 10:00:00', 1, 9, 99, 99, 99, 9, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 9, 9, ['older']),
('replayed', 'team', 'payments', NULL, 'payments', '2090-07-01 10:10:00', 1, 2, 12, 1, 0.5, 1, 1.5, 1, 2, 4, 3, 5, -2.5, -3.5, -1.5, -500, -700, -300, 0, 0, []),
('replayed', 'cluster', 'lab', 'lab', NULL, '2090-07-01 10:10:00', 1, 4, 40, 6, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, []),
('replayed', 'fleet', 'fleet', NULL, NULL, '2090-07-01 10:10:00', 1, 4, 40, 6, 2, 1, 8, 6, 10, 4, 3, 5, 4, 1.5, 6.5, 800, 300, 1300, 1, 0, ['one prior', 'one cliff']);
