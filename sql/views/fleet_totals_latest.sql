-- One row: what tuning would free now, of all services (total_of = 'fleet'), of one cluster's or of one team's: the newest totals of an origin.
-- The intervals are those of the sum, drawn by the savings job with the error that all services share: neither ends added nor errors that cancel.
-- Totals of clusters and teams overlap: never add rows. Services without a team are in the totals of fleet and cluster only.
-- doubtful_classes counts the estimates in it that are not sound; completeness_lowest and cashable_usd_per_year (a sum of medians, without an interval) are of the latest analyses of the same services.
-- freed = right-sizing + fixes of the services that give cores back; needed = what the recommended changes of the others take; net = freed less needed. Only net is a budget.
-- savings_usd_per_year is the worth of the fixes alone, net_usd_per_year that of the net cores.
-- The *_shown columns are the same numbers as words, with their interval [5th, 95th percentile]; an interval without width is a bound and no estimate.
CREATE OR REPLACE VIEW quotascope_views.fleet_totals_latest
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    total.origin AS origin,
    total.total_of AS total_of,
    transform(toString(total.total_of), ['fleet', 'cluster', 'team'], [0, 1, 2], 3) AS total_order,
    total.total_name AS total_name,
    total.cluster AS cluster,
    total.team AS team,
    total.window_start AS window_start,
    total.services AS services,
    total.unknown_classes AS unknown_classes,
    total.unpriced_classes AS unpriced_classes,
    analysed.completeness_lowest AS completeness_lowest,
    analysed.doubtful_classes AS doubtful_classes,
    total.reserved_cores_total AS reserved_cores_total,
    total.right_sizing_cores AS right_sizing_cores,
    total.right_sizing_cores_low AS right_sizing_cores_low,
    total.right_sizing_cores_high AS right_sizing_cores_high,
    concat(toString(round(total.right_sizing_cores, 2)), if(total.right_sizing_cores_low = total.right_sizing_cores_high, if(total.right_sizing_cores = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.right_sizing_cores_low, 2)), ', ', toString(round(total.right_sizing_cores_high, 2)), ']'))) AS right_sizing_cores_shown,
    total.reclaimable_cores AS reclaimable_cores,
    total.reclaimable_cores_low AS reclaimable_cores_low,
    total.reclaimable_cores_high AS reclaimable_cores_high,
    concat(toString(round(total.reclaimable_cores, 2)), if(total.reclaimable_cores_low = total.reclaimable_cores_high, if(total.reclaimable_cores = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.reclaimable_cores_low, 2)), ', ', toString(round(total.reclaimable_cores_high, 2)), ']'))) AS reclaimable_cores_shown,
    total.savings_usd_per_year AS savings_usd_per_year,
    total.savings_usd_per_year_low AS savings_usd_per_year_low,
    total.savings_usd_per_year_high AS savings_usd_per_year_high,
    ifNull(concat(toString(round(total.savings_usd_per_year)), if(total.savings_usd_per_year_low = total.savings_usd_per_year_high, if(total.savings_usd_per_year = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.savings_usd_per_year_low)), ', ', toString(round(total.savings_usd_per_year_high)), ']'))), 'no price') AS savings_usd_per_year_shown,
    total.short_classes AS short_classes,
    total.freed_cores AS freed_cores,
    total.freed_cores_low AS freed_cores_low,
    total.freed_cores_high AS freed_cores_high,
    ifNull(concat(toString(round(total.freed_cores, 2)), if(total.freed_cores_low = total.freed_cores_high, if(total.freed_cores = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.freed_cores_low, 2)), ', ', toString(round(total.freed_cores_high, 2)), ']'))), 'not known') AS freed_cores_shown,
    total.needed_cores AS needed_cores,
    total.needed_cores_low AS needed_cores_low,
    total.needed_cores_high AS needed_cores_high,
    ifNull(concat(toString(round(total.needed_cores, 2)), if(total.needed_cores_low = total.needed_cores_high, if(total.needed_cores = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.needed_cores_low, 2)), ', ', toString(round(total.needed_cores_high, 2)), ']'))), 'not known') AS needed_cores_shown,
    total.net_cores AS net_cores,
    total.net_cores_low AS net_cores_low,
    total.net_cores_high AS net_cores_high,
    ifNull(concat(toString(round(total.net_cores, 2)), if(total.net_cores_low = total.net_cores_high, if(total.net_cores = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.net_cores_low, 2)), ', ', toString(round(total.net_cores_high, 2)), ']'))), 'not known') AS net_cores_shown,
    total.net_usd_per_year AS net_usd_per_year,
    total.net_usd_per_year_low AS net_usd_per_year_low,
    total.net_usd_per_year_high AS net_usd_per_year_high,
    ifNull(concat(toString(round(total.net_usd_per_year)), if(total.net_usd_per_year_low = total.net_usd_per_year_high, if(total.net_usd_per_year = 0, '', ' (a bound)'),
        concat(' [', toString(round(total.net_usd_per_year_low)), ', ', toString(round(total.net_usd_per_year_high)), ']'))), 'no price') AS net_usd_per_year_shown,
    analysed.cashable_usd_per_year AS cashable_usd_per_year,
    arrayStringConcat(arrayConcat(
        if(analysed.services > total.services, [concat('of ', toString(total.services), ' of ', toString(analysed.services), ' analysed services: the others come with the next total, within ten minutes')], []),
        total.reasons), '; ') AS reasons_shown
FROM
(
    SELECT *
    FROM quotascope.fleet_totals
    FINAL
    WHERE window_start > now() - INTERVAL 1 DAY
) AS total
INNER JOIN
(
    -- All totals of an origin are written for the same instant: an older one is of a team or cluster that is gone.
    SELECT origin, max(window_start) AS newest
    FROM quotascope.fleet_totals
    GROUP BY origin
) AS last ON last.origin = total.origin AND last.newest = total.window_start
LEFT JOIN
(
    SELECT
        s.origin AS origin,
        arrayJoin(arrayFilter(
            place -> isNotNull(place.2),
            [('fleet', toNullable('fleet')), ('cluster', toNullable(toString(s.cluster))), ('team', toString(s.team))])) AS place,
        place.1 AS total_of,
        assumeNotNull(place.2) AS total_name,
        uniqExact(s.cluster, s.service) AS services,
        min(s.completeness) AS completeness_lowest,
        countIf(s.trust != 'sound') AS doubtful_classes,
        sum(s.cashable_usd_per_year) AS cashable_usd_per_year
    FROM quotascope_views.savings_latest AS s
    WHERE s.best
    GROUP BY origin, place
) AS analysed
    ON analysed.origin = total.origin AND analysed.total_of = total.total_of AND analysed.total_name = total.total_name
SETTINGS join_use_nulls = 1;
