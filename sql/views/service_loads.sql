-- One row: requests of one service in one minute.
CREATE OR REPLACE VIEW quotascope_views.service_loads
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    window_start,
    window_us,
    source,
    requests,
    errors,
    timeouts,
    retries,
    latency_bounds_us,
    latency_requests,
    version
FROM quotascope.service_loads
FINAL;
