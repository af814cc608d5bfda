-- The same columns as in savings_estimates; rows reach them once the feed is altered too (0042).
ALTER TABLE quotascope.savings_latest
    ADD COLUMN IF NOT EXISTS trust_reasons Array(String) COMMENT 'of the reasons those that limit trust: what is assumed, missing or not reached' CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS aim LowCardinality(String) DEFAULT 'savings' COMMENT 'what the owner takes a gain as: savings or latency';
