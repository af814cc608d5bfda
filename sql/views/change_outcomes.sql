-- One row: what one change of a service really did, as judged last (verifications), in words and priced.
-- outcome_shown says what was found and not only that it was looked at: "verified: throttling fell; needs 2 cores more".
-- realised_cores are reserved cores given back beyond what unaffected services did; negative = the change took cores.
-- Where a recommendation was accepted its price was frozen with it; any other change is priced as the newest estimate of its service, and priced_by says which.
CREATE OR REPLACE VIEW quotascope_views.change_outcomes
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    v.origin AS origin,
    v.cluster AS cluster,
    v.service AS service,
    v.team AS team,
    v.changed_at AS changed_at,
    v.change_id AS change_id,
    v.window_start AS window_start,
    v.kind AS kind,
    v.recommendation_id AS recommendation_id,
    v.outcome AS outcome,
    v.settled AS settled,
    arrayStringConcat(arrayFilter(words -> words != '', [
        transform(toString(v.outcome), ['regressed', 'no_detectable_change', 'too_little_evidence'],
            ['REGRESSED', 'no detectable change', 'too little evidence'], toString(v.outcome)),
        arrayStringConcat(arrayFilter(words -> words != '', [
            arrayStringConcat(arrayMap(
                effect -> concat(
                    transform(effect.quantity, ['throttled_period_ratio', 'used_cores', 'cpu_us_per_request', 'latency_us_p99'],
                        ['throttling', 'use', 'CPU of a request', 'latency'], effect.quantity),
                    if(effect.verdict = 'fallen', ' fell', ' rose')),
                arrayFilter(effect -> effect.verdict IN ('fallen', 'risen') AND effect.quantity != 'reserved_cores', v.effects)), '; '),
            multiIf(
                ifNull(v.realised_cores_low, 0) > 0, concat('frees ', toString(round(assumeNotNull(v.realised_cores), 2)), ' cores'),
                ifNull(v.realised_cores_high, 0) < 0, concat('needs ', toString(round(-assumeNotNull(v.realised_cores), 2)), ' cores more'),
                '')]), '; ')]), ': ') AS outcome_shown,
    v.completeness AS completeness,
    v.predicted_cores AS predicted_cores,
    v.predicted_cores_low AS predicted_cores_low,
    v.predicted_cores_high AS predicted_cores_high,
    v.realised_cores AS realised_cores,
    v.realised_cores_low AS realised_cores_low,
    v.realised_cores_high AS realised_cores_high,
    ifNull(v.realised_usd_per_year, v.realised_cores * today.usd_per_core_year) AS realised_usd_per_year,
    ifNull(v.realised_usd_per_year_low, v.realised_cores_low * today.usd_per_core_year) AS realised_usd_per_year_low,
    ifNull(v.realised_usd_per_year_high, v.realised_cores_high * today.usd_per_core_year) AS realised_usd_per_year_high,
    if(v.realised_usd_per_year IS NOT NULL, v.price_book_version, today.price_book_version) AS price_book_version,
    multiIf(
        v.realised_usd_per_year IS NOT NULL, 'frozen at acceptance',
        v.realised_cores IS NULL, '',
        today.usd_per_core_year IS NULL, 'no price',
        'newest estimate') AS priced_by,
    v.reasons AS reasons
FROM quotascope_views.verifications AS v
LEFT JOIN
(
    SELECT
        estimate.origin AS origin,
        estimate.cluster AS cluster,
        estimate.service AS service,
        max(estimate.booked_version) AS price_book_version,
        argMax(price.usd_per_core_year * (1 - price.discount_ratio), estimate.window_start) AS usd_per_core_year
    FROM
    (
        SELECT s.*, assumeNotNull(s.price_book_version) AS booked_version, ifNull(toString(s.price_class), 'default') AS booked_class
        FROM quotascope_views.savings_latest AS s
        WHERE s.best AND s.price_book_version IS NOT NULL
    ) AS estimate
    ASOF INNER JOIN quotascope_views.price_books AS price
        ON price.price_book_version = estimate.booked_version AND price.price_class = estimate.booked_class AND estimate.window_start >= price.valid_from
    GROUP BY origin, cluster, service
) AS today
    ON today.origin = v.origin AND today.cluster = v.cluster AND today.service = v.service
SETTINGS join_use_nulls = 1;
