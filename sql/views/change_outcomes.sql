-- One row: what one change of a service really did, as judged last (verifications), in words.
-- outcome_shown says what was found and not only that it was looked at: "verified: throttling fell; needs 2 cores more".
-- realised_cores are reserved cores given back beyond what unaffected services did; negative = the change took cores.
-- priced_by says which price the verification job took: that of an accepted recommendation is frozen with it, any other change has the one in force when it was made.
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
    v.realised_usd_per_year AS realised_usd_per_year,
    v.realised_usd_per_year_low AS realised_usd_per_year_low,
    v.realised_usd_per_year_high AS realised_usd_per_year_high,
    v.price_book_version AS price_book_version,
    transform(ifNull(v.priced_by, ''), ['acceptance', 'change', 'no_price'], ['frozen at acceptance', 'in force at the change', 'no price'], '') AS priced_by,
    v.reasons AS reasons
FROM quotascope_views.verifications AS v;
