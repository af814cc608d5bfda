-- One row: what one change of a service really did, as judged last.
CREATE OR REPLACE VIEW quotascope_views.verifications
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    changed_at,
    change_id,
    version,
    window_start,
    kind,
    recommendation_id,
    catalog_version,
    team,
    outcome,
    settled,
    effects,
    completeness,
    realised_cores,
    realised_cores_low,
    realised_cores_high,
    realised_usd_per_year,
    realised_usd_per_year_low,
    realised_usd_per_year_high,
    price_book_version,
    priced_by,
    predicted_cores,
    predicted_cores_low,
    predicted_cores_high,
    reasons
FROM quotascope.verifications
FINAL;
