-- One row: one version of one entry of the recommendation ledger (schemas/recommendation.avsc).
-- Written by the inputs job from topic recommendation-ledger.v1. Every version stays, as the history of who did what when: no TTL.
-- PARTITION BY nothing: a step is taken by a person, so there are few.
CREATE TABLE IF NOT EXISTS quotascope.recommendations
(
    origin                     LowCardinality(String)           COMMENT 'measured, replayed or simulated',
    cluster                    LowCardinality(String)           COMMENT 'cluster',
    service                    LowCardinality(String)           COMMENT 'service',
    recommendation_id          String                           COMMENT 'identity within the service',
    version                    UInt64                           COMMENT 'rises with every step' CODEC(ZSTD(1)),
    quota_class                LowCardinality(Nullable(String)) COMMENT 'quota class whose setting changes',
    state                      LowCardinality(String)           COMMENT 'proposed, accepted, rejected, applied, verified or regressed',
    state_at                   DateTime64(6, 'UTC')             COMMENT 'when it entered this state',
    actor                      Nullable(String)                 COMMENT 'who took the last step',
    reason                     Nullable(String)                 COMMENT 'why it was rejected, or what regressed',
    owner                      Nullable(String)                 COMMENT 'who carries it out',
    fix_set                    Array(String)                    COMMENT 'kinds of changes',
    setting_text               String                           COMMENT 'the exact setting to make',
    proposed_at                DateTime64(6, 'UTC')             COMMENT 'when it was proposed',
    accepted_at                Nullable(DateTime64(6, 'UTC'))   COMMENT 'when it was accepted and its prediction frozen',
    applied_at                 Nullable(DateTime64(6, 'UTC'))   COMMENT 'when it was carried out',
    reserved_cores             Nullable(Float64)                COMMENT 'of the service, all quota classes, when the estimate was made' CODEC(ZSTD(1)),
    reclaimable_cores          Nullable(Float64)                COMMENT 'predicted' CODEC(ZSTD(1)),
    reclaimable_cores_low      Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    reclaimable_cores_high     Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    savings_usd_per_year       Nullable(Float64)                COMMENT 'predicted reservation value' CODEC(ZSTD(1)),
    savings_usd_per_year_low   Nullable(Float64)                COMMENT '5th percentile' CODEC(ZSTD(1)),
    savings_usd_per_year_high  Nullable(Float64)                COMMENT '95th percentile' CODEC(ZSTD(1)),
    price_book_version         Nullable(Int64)                  COMMENT 'price book of the estimate',
    predicted_effects          Array(Tuple(
        quantity String,
        predicted Float64,
        low Float64,
        high Float64))                                          COMMENT 'predicted effects on measured quantities',
    credited_spans             Array(Tuple(
        from_millicores Int64,
        until_millicores Int64))                                COMMENT 'which cores of the reservation are its own',
    credited_cores             Float64                          COMMENT 'sum of credited_spans' CODEC(ZSTD(1)),
    credited_usd_per_year      Nullable(Float64)                COMMENT 'share of the predicted savings that belongs to them' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (origin, cluster, service, recommendation_id, version);
