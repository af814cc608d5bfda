-- Which price realised cores have: that of an accepted recommendation is frozen with it, any other change has the one in force when it was made.
ALTER TABLE quotascope.verifications
    ADD COLUMN IF NOT EXISTS priced_by LowCardinality(Nullable(String)) COMMENT 'acceptance = the price frozen when the recommendation was accepted; change = the one in force when the service was changed; no_price; null: no realised cores, or a version that did not tell' CODEC(ZSTD(1));
