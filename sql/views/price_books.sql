-- One row: what one class of hosts costs from one instant on, in one version of the price book.
CREATE OR REPLACE VIEW quotascope_views.price_books
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    price_book_version,
    currency,
    price.price_class AS price_class,
    fromUnixTimestamp64Micro(price.valid_from_us, 'UTC') AS valid_from,
    price.usd_per_core_year AS usd_per_core_year,
    price.usd_per_gib_year AS usd_per_gib_year,
    price.discount_ratio AS discount_ratio,
    fromUnixTimestamp64Micro(price.commitment_end_us, 'UTC') AS commitment_end,
    price.host_cores AS host_cores,
    price.packing_ratio AS packing_ratio,
    note
FROM quotascope.price_books
FINAL
ARRAY JOIN prices AS price;
