-- One row: what one rule about kernels says of one host in one hour.
-- What a rule is about and what a verdict means are said in words by rule_shown and verdict_shown (docs/model/kernel-rules.md).
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
    reasons,
    if(length(host_id) = 32, concat(substring(host_id, 1, 8), '…'), host_id) AS host_shown,
    transform(
        toString(rule),
        ['expiry-skew', 'slice-expiry', 'period-scaling', 'unthrottle-lockup', 'per-task-throttle'],
        ['quota expires early, because CPUs'' clocks differ', 'unused quota expires in every period', 'short periods are stretched, quota and period drift apart',
            'the host may lock up when very many groups wake at once', 'not a fault: system calls may overrun the quota'],
        toString(rule)) AS rule_shown,
    transform(
        toString(verdict),
        ['confirmed', 'affected_not_seen', 'behaves_affected', 'unexplained', 'not_seen', 'sound'],
        ['confirmed: its version does this, and quota was lost', 'its version does this; nothing was lost so far', 'quota was lost; its version does not tell',
            'quota seems lost, but not by this: its version does not do it', 'its version does not tell; nothing was lost', 'sound'],
        toString(verdict)) AS verdict_shown
FROM quotascope.kernel_findings
FINAL
ORDER BY origin, cluster, host_id, window_start, kernel_release, rule, part DESC
LIMIT 1 BY origin, cluster, host_id, window_start, kernel_release, rule;
