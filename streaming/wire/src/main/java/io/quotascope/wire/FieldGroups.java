package io.quotascope.wire;

import java.util.List;
import java.util.Map;

/**
 * Which field of a shard window belongs to which group, so that a size can be spoken of: the record
 * pays for each.
 */
final class FieldGroups {
    private static final Map<String, List<String>> SHARD_WINDOW =
            Map.of(
                    "1 identity",
                    List.of(
                            "host_id",
                            "agent_epoch",
                            "seq",
                            "cluster",
                            "origin",
                            "shard_id",
                            "service",
                            "shard"),
                    "2 window",
                    List.of(
                            "window_start_us",
                            "sample_interval_us",
                            "samples",
                            "missed_samples",
                            "lateness_us_max",
                            "method",
                            "layout_version"),
                    "3 usage",
                    List.of(
                            "usage_us",
                            "sampled_usage_us",
                            "usage_histogram",
                            "excursion_samples",
                            "excursion_us"),
                    "4 second order",
                    List.of("second_order"),
                    "5 bandwidth",
                    List.of(
                            "quota_us",
                            "period_us",
                            "burst_us",
                            "ancestor_quota_us",
                            "ancestor_period_us",
                            "nearest_ancestor_quota_us",
                            "nearest_ancestor_period_us",
                            "cpus_allowed",
                            "period_phase_us"),
                    "6 kernel counters",
                    List.of(
                            "periods",
                            "throttled_periods",
                            "throttled_us",
                            "bursts",
                            "burst_used_us",
                            "throttled_runs",
                            "throttled_run_periods_max",
                            "throttled_wall_us",
                            "ancestor_periods",
                            "ancestor_throttled_periods",
                            "ancestor_throttled_us"),
                    "7 threads",
                    List.of("threads", "runnable_histogram"),
                    "8 optional",
                    List.of(
                            "exemplar",
                            "cycles_below_quota",
                            "cycles_above_quota",
                            "instructions_below_quota",
                            "instructions_above_quota",
                            "excursion_threads"));

    private FieldGroups() {}

    /**
     * The group of a field. Of other records than CpuUsageWindow every field is its own group.
     *
     * @throws IllegalStateException when a shard window has a field that nobody gave a group
     */
    static String of(String record, String field) {
        if (!record.equals("CpuUsageWindow")) {
            return field;
        }
        return SHARD_WINDOW.entrySet().stream()
                .filter(group -> group.getValue().contains(field))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("field " + field + " has no group"));
    }
}
