-- One row: one bucket of the 10 ms usage histogram of one shard of a service and quota class in one minute.
-- bucket_cores is the bucket's lower bound. Empty buckets stand in the row too (samples = 0), from no use up to the
-- highest bucket used, the quota's or the reservation's, because an axis of categories would otherwise close the gaps between its bars.
-- holds_reservation marks what the catalog reserves where that is another bucket than the quota's; without an entry the quota is the reservation.
-- Their bounds are layout version 1 of schemas/README.md; bounds found in the rows themselves are always kept.
CREATE OR REPLACE VIEW quotascope_views.usage_histograms
DEFINER = admin SQL SECURITY DEFINER AS
WITH
    arrayConcat([0.], arrayMap(b -> (16 + b % 16) * exp2(intDiv(b, 16)) / 512, range(224))) AS layout_bounds
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
    arraySum(arrayMap((bound, counted) -> if(bound = bucket_cores, counted, 0), usage_histogram_cores, usage_histogram_samples)) AS samples,
    bucket_cores = arrayMax(arrayFilter(bound -> bound <= quota_cores, shown_bounds)) AND quota_cores IS NOT NULL AS holds_quota,
    bucket_cores = arrayMax(arrayFilter(bound -> bound <= reserved_cores, shown_bounds)) AND reserved_cores IS NOT NULL AND NOT holds_quota AS holds_reservation,
    ifNull(bucket_cores > quota_cores, false) AS above_quota
FROM
(
    SELECT
        *,
        arraySort(arrayDistinct(arrayConcat(
            usage_histogram_cores,
            arrayFilter(bound -> bound <= greatest(arrayMax(usage_histogram_cores), ifNull(quota_cores, 0), ifNull(reserved_cores, 0)), layout_bounds)))) AS shown_bounds
    FROM quotascope_views.throttling_summaries
    WHERE notEmpty(usage_histogram_cores)
)
ARRAY JOIN shown_bounds AS bucket_cores;
