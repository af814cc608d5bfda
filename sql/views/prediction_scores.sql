-- One row: how good our predictions of one quantity were, up to one outcome.
CREATE OR REPLACE VIEW quotascope_views.prediction_scores
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quantity,
    window_start,
    version,
    predictions,
    coverage_ratio,
    bias,
    absolute_error_mean,
    interval_score_mean
FROM quotascope.prediction_scores
FINAL;
