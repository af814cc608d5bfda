-- One row: one host's collector in one minute: what it sampled, what it cost, what it went without, what it lost.
-- agent_cores is the whole CPU time charged to the host, the agent's own and what its BPF programs took from others, / wall time of its windows.
-- drops count since the agent started: the greatest of the minute is what stood at its end.
CREATE OR REPLACE VIEW quotascope_views.collector_minutes
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    w.origin AS origin,
    w.cluster AS cluster,
    w.host_id AS host_id,
    if(length(w.host_id) = 32, concat(substring(w.host_id, 1, 8), '…'), w.host_id) AS host_shown,
    toStartOfMinute(w.window_start) AS window_start,
    count() AS windows,
    sum(w.samples) AS samples,
    sum(w.missed_samples) AS missed_samples,
    sum(w.shard_records) AS shard_records,
    sum(w.agent_cpu_us + ifNull(w.bpf_run_us, 0)) AS agent_cost_us,
    sum(w.agent_cpu_us + ifNull(w.bpf_run_us, 0)) / (count() * 10000000) AS agent_cores,
    max(w.agent_rss_bytes + ifNull(w.bpf_map_bytes, 0)) AS agent_memory_bytes,
    max(w.spool_bytes) AS spool_bytes,
    max(arraySum(mapValues(w.drops))) AS drops_since_start,
    max(w.protection_step) AS protection_step,
    argMax(w.protection_reason, (w.protection_step, w.window_start)) AS protection_reason,
    max(w.budget_skipped_cgroups) AS budget_skipped_cgroups,
    max(w.overflow_cgroups) AS overflow_cgroups,
    sum(w.clock_steps) AS clock_steps,
    sum(w.late_windows) AS late_windows,
    sum(w.missing_before) AS missing_host_records,
    any(w.method) AS method,
    any(w.kernel_release) AS kernel_release,
    any(w.cgroup_version) AS cgroup_version
FROM quotascope_views.host_windows AS w
GROUP BY w.origin, w.cluster, w.host_id, toStartOfMinute(w.window_start);
