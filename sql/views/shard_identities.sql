-- One row: who a shard is, as last observed.
CREATE OR REPLACE VIEW quotascope_views.shard_identities
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    host_id,
    agent_epoch,
    cluster,
    origin,
    shard_id,
    service,
    shard,
    observed_at,
    cgroup_path,
    incarnation,
    runtime,
    container_id,
    pod_uid,
    qos_class,
    cpu_shares,
    cpuset_cpus,
    labels
FROM quotascope.shard_identities
FINAL;
