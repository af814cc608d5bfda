-- One row: one recommendation as it stands now.
CREATE OR REPLACE VIEW quotascope_views.recommendations
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    recommendation_id,
    version,
    quota_class,
    state,
    state_at,
    actor,
    reason,
    owner,
    fix_set,
    setting_text,
    proposed_at,
    accepted_at,
    applied_at,
    reserved_cores,
    reclaimable_cores,
    reclaimable_cores_low,
    reclaimable_cores_high,
    savings_usd_per_year,
    savings_usd_per_year_low,
    savings_usd_per_year_high,
    price_book_version,
    predicted_effects,
    credited_spans,
    credited_cores,
    credited_usd_per_year
FROM quotascope_views.recommendation_steps
ORDER BY origin, cluster, service, recommendation_id, version DESC
LIMIT 1 BY origin, cluster, service, recommendation_id;
