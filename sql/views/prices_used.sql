-- One row: one row of the price book that the latest estimates of a team's services rest on, and how many there are; `no price` where no book covers the class.
-- The row in force is the one of the estimate's own version and class that began last before the analysed minute.
CREATE OR REPLACE VIEW quotascope_views.prices_used
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    estimate.origin AS origin,
    estimate.cluster AS cluster,
    estimate.team AS team,
    if(estimate.price_book_version IS NULL, 'no price', ifNull(estimate.price_class, 'default')) AS price_class,
    estimate.price_book_version AS price_book_version,
    max(estimate.window_start) AS window_start,
    uniqExact(estimate.service) AS services,
    sum(estimate.reserved_cores_total) AS reserved_cores_total,
    min(estimate.completeness) AS completeness_lowest,
    price.valid_from AS valid_from,
    price.usd_per_core_year AS usd_per_core_year,
    price.discount_ratio AS discount_ratio,
    price.commitment_end AS commitment_end,
    price.host_cores AS host_cores,
    price.packing_ratio AS packing_ratio,
    ifNull(price.note, '') AS note
FROM
(
    SELECT
        s.*,
        ifNull(s.price_book_version, 0) AS booked_version,
        ifNull(toString(s.price_class), 'default') AS booked_class
    FROM quotascope_views.savings_latest AS s
    WHERE s.best
) AS estimate
ASOF LEFT JOIN quotascope_views.price_books AS price
    ON price.price_book_version = estimate.booked_version AND price.price_class = estimate.booked_class AND estimate.window_start >= price.valid_from
GROUP BY
    estimate.origin,
    estimate.cluster,
    estimate.team,
    estimate.price_class,
    estimate.price_book_version,
    price.valid_from,
    price.usd_per_core_year,
    price.discount_ratio,
    price.commitment_end,
    price.host_cores,
    price.packing_ratio,
    price.note
SETTINGS join_use_nulls = 1;
