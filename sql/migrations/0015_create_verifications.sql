-- One row: what one change of a service really did (schemas/verification.avsc).
-- Written by the verification job anew with every day of evidence; the latest replaces. No TTL: realised savings are looked up for years.
CREATE TABLE IF NOT EXISTS quotascope.verifications
(
    origin                      LowCardinality(String) COMMENT 'where the numbers come from',
    cluster                     LowCardinality(String) COMMENT 'cluster',
    service                     LowCardinality(String) COMMENT 'service',
    changed_at                  DateTime64(6, 'UTC') COMMENT 'when it was changed, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    change_id                   String COMMENT 'identity of the change event',
    version                     UInt64 COMMENT 'reprocessing revision x 2^32 + hour of judging since the change: the latest replaces' CODEC(ZSTD(1)),
    window_start                DateTime64(6, 'UTC') COMMENT 'start of the last hour looked at, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    kind                        LowCardinality(String) COMMENT 'kind of the change event',
    recommendation_id           Nullable(String) COMMENT 'the accepted recommendation that it carries out',
    catalog_version             Int64 COMMENT 'version of the catalog entry used; 0 = none' CODEC(T64, ZSTD(1)),
    team                        LowCardinality(Nullable(String)) COMMENT 'team of the catalog entry',
    outcome                     LowCardinality(String) COMMENT 'verified = it did what it was meant to; regressed = throttling or use rose; no_detectable_change; too_little_evidence',
    settled                     Bool COMMENT 'whether all hours that may be looked at have passed: the answer does not change any more',
    effects                     Array(Tuple(quantity String, verdict String, effect Float64, effect_low Float64, effect_high Float64, matched_hours Int32, unaffected_services Int32)) COMMENT 'one for each quantity' CODEC(ZSTD(1)),
    completeness                Nullable(Float64) COMMENT 'records received / records the hosts say they sent over the hours after the change, 0..1' CODEC(ZSTD(1)),
    realised_cores              Nullable(Float64) COMMENT 'reserved cores given back, beyond what unaffected services did' CODEC(ZSTD(1)),
    realised_cores_low          Nullable(Float64) COMMENT '5th percentile' CODEC(ZSTD(1)),
    realised_cores_high         Nullable(Float64) COMMENT '95th percentile' CODEC(ZSTD(1)),
    realised_usd_per_year       Nullable(Float64) COMMENT 'what these cores are priced at, US dollars a year' CODEC(ZSTD(1)),
    realised_usd_per_year_low   Nullable(Float64) COMMENT '5th percentile' CODEC(ZSTD(1)),
    realised_usd_per_year_high  Nullable(Float64) COMMENT '95th percentile' CODEC(ZSTD(1)),
    price_book_version          Nullable(Int64) COMMENT 'price book used' CODEC(T64, ZSTD(1)),
    predicted_cores             Nullable(Float64) COMMENT 'cores that the recommendation had promised, frozen at acceptance' CODEC(ZSTD(1)),
    predicted_cores_low         Nullable(Float64) COMMENT '5th percentile' CODEC(ZSTD(1)),
    predicted_cores_high        Nullable(Float64) COMMENT '95th percentile' CODEC(ZSTD(1)),
    reasons                     Array(String) COMMENT 'the outcome in words, most important first'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(changed_at)
ORDER BY (origin, cluster, service, changed_at, change_id)
SETTINGS index_granularity = 1024;
