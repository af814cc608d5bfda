-- One row: how good our predictions of one quantity were up to one outcome, with the team of the service whose outcome was added last.
CREATE OR REPLACE VIEW quotascope_views.prediction_record
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    score.origin AS origin,
    score.cluster AS cluster,
    score.service AS service,
    owners.team AS team,
    score.quantity AS quantity,
    score.window_start AS window_start,
    score.predictions AS predictions,
    score.coverage_ratio AS coverage_ratio,
    score.bias AS bias,
    score.absolute_error_mean AS absolute_error_mean,
    score.interval_score_mean AS interval_score_mean
FROM quotascope_views.prediction_scores AS score
LEFT JOIN
(
    SELECT origin, cluster, service, anyLast(s.team) AS team
    FROM quotascope_views.service_latest AS s
    GROUP BY origin, cluster, service
) AS owners
    ON owners.origin = score.origin AND owners.cluster = score.cluster AND owners.service = score.service;
