-- One row: one version of the price book, with all its prices (schemas/price_book.avsc).
-- Written by the inputs job from topic price-book.v1. No TTL: a judgement of long ago names the book that it used.
-- PARTITION BY nothing: there are as many rows as there were changes of prices.
CREATE TABLE IF NOT EXISTS quotascope.price_books
(
    price_book_version  Int64                            COMMENT 'rises with every change, from 1' CODEC(T64, ZSTD(1)),
    currency            LowCardinality(String)           COMMENT 'USD',
    prices              Array(Tuple(
        price_class String,
        valid_from_us Int64,
        usd_per_core_year Float64,
        usd_per_gib_year Float64,
        discount_ratio Float64,
        commitment_end_us Nullable(Int64),
        host_cores Nullable(Float64),
        packing_ratio Nullable(Float64)))                COMMENT 'what each class costs from an instant on',
    note                Nullable(String)                 COMMENT 'where the prices come from'
)
ENGINE = ReplacingMergeTree
ORDER BY price_book_version;
