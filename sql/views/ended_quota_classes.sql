-- One row: one quota class that is over: its service went on in another class for more than the ten minutes that a ranking looks back.
-- After a change of quota the old class would be a second entry of the same shards, with what they reserved before.
CREATE OR REPLACE VIEW quotascope_views.ended_quota_classes
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    window_start,
    service_window_start
FROM
(
    SELECT
        known.origin AS origin,
        known.cluster AS cluster,
        known.service AS service,
        known.quota_class AS quota_class,
        max(known.window_start) AS window_start,
        max(max(known.window_start)) OVER (PARTITION BY known.origin, known.cluster, known.service) AS service_window_start
    FROM quotascope.service_latest AS known
    GROUP BY known.origin, known.cluster, known.service, known.quota_class
)
WHERE window_start < service_window_start - INTERVAL 10 MINUTE;
