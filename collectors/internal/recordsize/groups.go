// Package recordsize answers what a record costs on the wire: bytes per field group, raw and in compressed Kafka batches.
package recordsize

// Groups of CpuUsageWindow in the order of the report.
var groups = []string{"frame", "identity", "window", "usage", "bandwidth", "counters", "threads", "optional"}

// groupOf says which question each field of CpuUsageWindow answers. A field without a group is an error of this table.
var groupOf = map[string]string{
	"host_id": "identity", "agent_epoch": "identity", "seq": "identity", "cluster": "identity", "origin": "identity",
	"shard_id": "identity", "service": "identity", "shard": "identity",

	"window_start_us": "window", "sample_interval_us": "window", "samples": "window", "missed_samples": "window",
	"lateness_us_max": "window", "method": "window",

	"usage_us": "usage", "sampled_usage_us": "usage", "layout_version": "usage", "usage_histogram": "usage",
	"excursion_samples": "usage", "excursion_us": "usage", "second_order": "usage",

	"quota_us": "bandwidth", "period_us": "bandwidth", "burst_us": "bandwidth", "ancestor_quota_us": "bandwidth",
	"ancestor_period_us": "bandwidth", "nearest_ancestor_quota_us": "bandwidth", "nearest_ancestor_period_us": "bandwidth",
	"cpus_allowed": "bandwidth", "period_phase_us": "bandwidth",

	"periods": "counters", "throttled_periods": "counters", "throttled_us": "counters", "bursts": "counters",
	"burst_used_us": "counters", "throttled_runs": "counters", "throttled_run_periods_max": "counters",
	"throttled_wall_us": "counters", "ancestor_periods": "counters", "ancestor_throttled_periods": "counters",
	"ancestor_throttled_us": "counters",

	"threads": "threads", "runnable_histogram": "threads",

	"exemplar": "optional", "cycles_below_quota": "optional", "cycles_above_quota": "optional",
	"instructions_below_quota": "optional", "instructions_above_quota": "optional", "excursion_threads": "optional",
}
