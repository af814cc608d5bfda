-- What was saved, by team and quarter?
-- Promised at acceptance, credited (each core once), and realised beyond what unaffected services did; ends of intervals are added: the widest a sum can be.
-- Default range: 365d.
SELECT
    quarter,
    team,
    recommendations_accepted,
    promised_cores,
    promised_cores_low,
    promised_cores_high,
    credited_cores,
    credited_usd_per_year,
    changes_verified,
    realised_cores,
    realised_cores_low,
    realised_cores_high,
    realised_usd_per_year,
    arrayStringConcat(arrayMap(book -> toString(book), arraySort(price_book_versions)), ', ') AS price_books,
    origin,
    cluster
FROM quotascope_views.savings_by_quarter
WHERE window_start >= toStartOfQuarter({from:DateTime64(6, 'UTC')})
    AND window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
ORDER BY quarter DESC, team NULLS LAST, origin, cluster
