-- One row: what tuning would free of all services (total_of = 'fleet'), of one cluster's or of one team's, at one instant.
-- Intervals are those of the sum. Totals of clusters and teams overlap: never add rows.
CREATE OR REPLACE VIEW quotascope_views.fleet_totals
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    total_of,
    total_name,
    cluster,
    team,
    window_start,
    version,
    services,
    unknown_classes,
    unpriced_classes,
    reserved_cores_total,
    right_sizing_cores,
    right_sizing_cores_low,
    right_sizing_cores_high,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    savings_usd_per_year,
    savings_usd_per_year_low,
    savings_usd_per_year_high,
    short_classes,
    freed_cores,
    freed_cores_low,
    freed_cores_high,
    needed_cores,
    needed_cores_low,
    needed_cores_high,
    net_cores,
    net_cores_low,
    net_cores_high,
    net_usd_per_year,
    net_usd_per_year_low,
    net_usd_per_year_high,
    reasons
FROM quotascope.fleet_totals
FINAL;
