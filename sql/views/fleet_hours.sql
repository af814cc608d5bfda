-- One row: one hour of all services of one cluster and team together; ratios come from the sums of their hours.
-- Pages about the whole fleet over time read this and never minutes. The hour in progress has no row: an hour is written when it is over.
CREATE OR REPLACE VIEW quotascope_views.fleet_hours
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    h.origin AS origin,
    h.cluster AS cluster,
    h.team AS team,
    h.window_start AS window_start,
    count() AS service_classes,
    countIf(h.throttled_periods > 0) AS service_classes_throttled,
    sum(h.periods) AS periods,
    sum(h.throttled_periods) AS throttled_periods,
    sum(h.throttled_periods) / nullIf(sum(h.periods), 0) AS throttled_period_ratio,
    sum(h.used_cores) AS used_cores,
    sum(h.reserved_cores * h.shards) AS reserved_cores_total,
    sum(h.records) AS records,
    sum(h.expected_records) AS expected_records,
    if(sum(h.expected_records) > 0, least(1, sum(h.records) / sum(h.expected_records)), NULL) AS completeness
FROM quotascope_views.service_hours AS h
GROUP BY h.origin, h.cluster, h.team, h.window_start;
