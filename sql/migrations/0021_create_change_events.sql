-- One row: something that happened to a service (schemas/change_event.avsc), told or seen in the stream.
-- Written by the inputs job from topic change-events.v1; the greater version of an event replaces, so that it can be taken back.
-- PARTITION BY the month of the event, which is part of its identity; a year of events stays.
CREATE TABLE IF NOT EXISTS quotascope.change_events
(
    origin             LowCardinality(String)           COMMENT 'measured, replayed or simulated',
    cluster            LowCardinality(String)           COMMENT 'cluster',
    service            LowCardinality(String)           COMMENT 'service',
    event_id           String                           COMMENT 'identity within the service',
    changed_at         DateTime64(6, 'UTC')             COMMENT 'when it happened' CODEC(Delta, ZSTD(1)),
    kind               LowCardinality(String)           COMMENT 'deploy, quota, period, burst, shards, kernel, pools, pinning or other',
    source             LowCardinality(String)           COMMENT 'declared or detected',
    quota_class        LowCardinality(Nullable(String)) COMMENT 'quota class it happened to',
    recommendation_id  Nullable(String)                 COMMENT 'accepted recommendation that it carries out',
    setting_before     Nullable(String)                 COMMENT 'the setting before, in words',
    setting_after      Nullable(String)                 COMMENT 'the setting after, in words',
    author             Nullable(String)                 COMMENT 'who changed it',
    note               Nullable(String)                 COMMENT 'free text',
    version            UInt64                           COMMENT 'rises with every correction of the event' CODEC(ZSTD(1)),
    withdrawn          Bool                             COMMENT 'the event is taken back'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(changed_at)
ORDER BY (origin, cluster, service, changed_at, event_id)
TTL toDateTime(changed_at) + INTERVAL 400 DAY
SETTINGS ttl_only_drop_parts = 1;
