-- What did changes really save, against what was predicted?
-- Every change in the range, newest first: cores promised at acceptance, cores realised beyond what unaffected services did.
-- Default range: 365d.
SELECT
    toString(toDateTime(changed_at)) AS changed,
    service,
    team,
    kind,
    outcome_shown AS outcome,
    predicted_cores,
    predicted_cores_low,
    predicted_cores_high,
    realised_cores,
    realised_cores_low,
    realised_cores_high,
    realised_usd_per_year,
    priced_by,
    completeness,
    origin,
    cluster,
    reasons
FROM quotascope_views.change_outcomes
WHERE changed_at >= {from:DateTime64(6, 'UTC')}
    AND changed_at < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR origin = {origin:String})
    AND ({cluster:String} = '' OR cluster = {cluster:String})
    AND ({service:String} = '' OR service = {service:String})
ORDER BY changed_at DESC, origin, cluster, service
