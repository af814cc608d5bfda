-- One row: what one rule about kernels says of one host in one hour.
-- An hour has a row for each arrival part, each over all parts up to its own: the highest part knows most.
CREATE OR REPLACE VIEW quotascope_views.kernel_findings
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    origin,
    cluster,
    host_id,
    window_start,
    window_us,
    part,
    version,
    kernel_release,
    rule,
    evidence,
    rule_standing,
    verdict,
    behavioural_signature,
    cpus,
    shards,
    shards_throttled,
    shards_stranded,
    shards_unjudged,
    stranded_cores,
    stranded_cores_low,
    stranded_cores_high,
    completeness,
    worst_shards,
    reasons
FROM quotascope.kernel_findings
FINAL
ORDER BY origin, cluster, host_id, window_start, kernel_release, rule, part DESC
LIMIT 1 BY origin, cluster, host_id, window_start, kernel_release, rule;
