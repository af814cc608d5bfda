-- Which kernels throttle wrongly, and what is stranded by it?
-- By host, kernel and rule: hours judged, the newest verdict, and the cores stranded in the worst hour. Hosts with stranded cores first.
-- Default range: 7d.
SELECT
    k.host_id AS host_id,
    k.kernel_release AS kernel_release,
    k.rule AS rule,
    argMax(k.verdict, k.window_start) AS verdict,
    argMax(k.rule_standing, k.window_start) AS rule_standing,
    count() AS hours,
    countIf(k.behavioural_signature) AS hours_seen,
    max(k.shards_stranded) AS shards_stranded,
    max(k.stranded_cores) AS stranded_cores,
    argMax(k.stranded_cores_low, k.stranded_cores) AS stranded_cores_low,
    argMax(k.stranded_cores_high, k.stranded_cores) AS stranded_cores_high,
    min(k.completeness) AS completeness,
    k.origin AS origin,
    k.cluster AS cluster,
    argMax(k.reasons, k.window_start) AS reasons
FROM quotascope_views.kernel_findings AS k
WHERE k.window_start >= {from:DateTime64(6, 'UTC')}
    AND k.window_start < {until:DateTime64(6, 'UTC')}
    AND ({origin:String} = '' OR k.origin = {origin:String})
    AND ({cluster:String} = '' OR k.cluster = {cluster:String})
GROUP BY k.origin, k.cluster, k.host_id, k.kernel_release, k.rule
ORDER BY stranded_cores DESC NULLS LAST, verdict = 'sound', origin, cluster, host_id, kernel_release, rule
