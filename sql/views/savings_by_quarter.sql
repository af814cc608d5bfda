-- One row: one team and calendar quarter (UTC): what was promised at acceptance, what is credited, and what changes of the quarter really did.
-- Promises and credits come from the ledger by the quarter of acceptance, realised figures from verifications by the quarter of the change.
-- Realised cores of a change that nobody had recommended have the price in force when it was made (change_outcomes).
-- credited_* counts each core once and is what a total may be made of; realised_* adds every settled and unsettled change that was judged.
-- _low and _high add the ends of the single intervals: the widest the sum can be, as if all errors went the same way.
CREATE OR REPLACE VIEW quotascope_views.savings_by_quarter
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    team,
    toDateTime64(toStartOfQuarter(happened_at), 6, 'UTC') AS window_start,
    concat(toString(toYear(window_start)), ' Q', toString(toQuarter(window_start))) AS quarter,
    countIf(entry = 'promise') AS recommendations_accepted,
    sum(promised_cores) AS promised_cores,
    sum(promised_cores_low) AS promised_cores_low,
    sum(promised_cores_high) AS promised_cores_high,
    sum(credited_cores) AS credited_cores,
    sum(credited_usd_per_year) AS credited_usd_per_year,
    countIf(entry = 'change') AS changes_verified,
    sum(realised_cores) AS realised_cores,
    sum(realised_cores_low) AS realised_cores_low,
    sum(realised_cores_high) AS realised_cores_high,
    sum(realised_usd_per_year) AS realised_usd_per_year,
    groupUniqArrayIf(assumeNotNull(price_book_version), price_book_version IS NOT NULL) AS price_book_versions
FROM
(
    SELECT
        r.origin AS origin,
        r.cluster AS cluster,
        r.team AS team,
        assumeNotNull(r.accepted_at) AS happened_at,
        'promise' AS entry,
        r.reclaimable_cores AS promised_cores,
        r.reclaimable_cores_low AS promised_cores_low,
        r.reclaimable_cores_high AS promised_cores_high,
        toNullable(r.credited_cores) AS credited_cores,
        toNullable(r.credited_usd_per_year) AS credited_usd_per_year,
        NULL AS realised_cores,
        NULL AS realised_cores_low,
        NULL AS realised_cores_high,
        NULL AS realised_usd_per_year,
        r.price_book_version AS price_book_version
    FROM quotascope_views.recommendation_ledger AS r
    WHERE r.accepted_at IS NOT NULL
    UNION ALL
    SELECT
        v.origin AS origin,
        v.cluster AS cluster,
        v.team AS team,
        v.changed_at AS happened_at,
        'change' AS entry,
        NULL AS promised_cores,
        NULL AS promised_cores_low,
        NULL AS promised_cores_high,
        NULL AS credited_cores,
        NULL AS credited_usd_per_year,
        v.realised_cores AS realised_cores,
        v.realised_cores_low AS realised_cores_low,
        v.realised_cores_high AS realised_cores_high,
        v.realised_usd_per_year AS realised_usd_per_year,
        v.price_book_version AS price_book_version
    FROM quotascope_views.change_outcomes AS v
    WHERE v.outcome != 'too_little_evidence'
)
GROUP BY origin, cluster, team, window_start;
