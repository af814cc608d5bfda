-- One row: how good our predictions of one quantity were, up to one outcome (schemas/prediction_score.avsc).
-- Written by the verification job whenever an outcome is added. No TTL: it is the record of our own honesty.
CREATE TABLE IF NOT EXISTS quotascope.prediction_scores
(
    origin               LowCardinality(String) COMMENT 'where the numbers come from',
    cluster              LowCardinality(String) COMMENT 'cluster',
    service              LowCardinality(String) COMMENT 'service of the outcome added last',
    quantity             LowCardinality(String) COMMENT 'what was predicted, e.g. reclaimable_cores',
    window_start         DateTime64(6, 'UTC') COMMENT 'start of the last hour of the outcome added last, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    version              UInt64 COMMENT 'reprocessing revision x 2^32 + predictions: the greater one replaces' CODEC(ZSTD(1)),
    predictions          Int32 COMMENT 'predictions compared, at most the last thousand' CODEC(T64, ZSTD(1)),
    coverage_ratio       Float64 COMMENT 'share of realised values inside their interval, 0..1; honest is 0.9' CODEC(ZSTD(1)),
    bias                 Float64 COMMENT 'mean of predicted - realised, in the unit of the quantity' CODEC(ZSTD(1)),
    absolute_error_mean  Float64 COMMENT 'mean of |predicted - realised|, in the unit of the quantity' CODEC(ZSTD(1)),
    interval_score_mean  Float64 COMMENT 'mean interval score, lower is better: width, plus 20 times what a value lies outside' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(window_start)
ORDER BY (origin, cluster, quantity, window_start, service)
SETTINGS index_granularity = 1024;
