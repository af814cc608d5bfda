-- One row: one recommendation as it stands now, with the team that owns the service today. state_shown says of a verified one what was found (change_outcomes). Each core is credited once (credited_cores).
-- The team is looked up in the newest state of the service: the ledger itself holds what was frozen at acceptance and knows no teams.
CREATE OR REPLACE VIEW quotascope_views.recommendation_ledger
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    r.origin AS origin,
    r.cluster AS cluster,
    r.service AS service,
    owners.team AS team,
    r.recommendation_id AS recommendation_id,
    r.state AS state,
    if(r.state IN ('verified', 'regressed') AND found.outcome_shown != '', found.outcome_shown, toString(r.state)) AS state_shown,
    r.state_at AS state_at,
    r.proposed_at AS proposed_at,
    r.accepted_at AS accepted_at,
    r.applied_at AS applied_at,
    r.owner AS owner,
    ifNull(r.reason, '') AS reason,
    arrayStringConcat(r.fix_set, ' + ') AS fix_set,
    r.setting_text AS setting_text,
    r.reclaimable_cores AS reclaimable_cores,
    r.reclaimable_cores_low AS reclaimable_cores_low,
    r.reclaimable_cores_high AS reclaimable_cores_high,
    r.credited_cores AS credited_cores,
    r.credited_usd_per_year AS credited_usd_per_year,
    r.savings_usd_per_year AS savings_usd_per_year,
    r.savings_usd_per_year_low AS savings_usd_per_year_low,
    r.savings_usd_per_year_high AS savings_usd_per_year_high,
    r.price_book_version AS price_book_version
FROM quotascope_views.recommendations AS r
LEFT JOIN
(
    SELECT origin, cluster, service, anyLast(s.team) AS team
    FROM quotascope_views.service_latest AS s
    GROUP BY origin, cluster, service
) AS owners
    ON owners.origin = r.origin AND owners.cluster = r.cluster AND owners.service = r.service
LEFT JOIN
(
    SELECT origin, cluster, service, assumeNotNull(o.recommendation_id) AS recommendation_id, argMax(o.outcome_shown, o.window_start) AS outcome_shown
    FROM quotascope_views.change_outcomes AS o
    WHERE o.recommendation_id IS NOT NULL
    GROUP BY origin, cluster, service, recommendation_id
) AS found
    ON found.origin = r.origin AND found.cluster = r.cluster AND found.service = r.service AND found.recommendation_id = r.recommendation_id;
