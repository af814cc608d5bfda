-- One row: one bucket of the 10 ms usage histogram of one shard of a service and quota class in one minute.
-- bucket_cores is the bucket's lower bound; quota_cores stands beside it for the quota line of the chart.
CREATE OR REPLACE VIEW quotascope_views.usage_histograms
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    service,
    quota_class,
    window_start,
    part,
    team,
    completeness,
    quota_cores,
    reserved_cores,
    bucket_cores,
    samples
FROM quotascope_views.throttling_summaries
ARRAY JOIN
    usage_histogram_cores AS bucket_cores,
    usage_histogram_samples AS samples;
