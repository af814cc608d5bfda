package io.quotascope.domain.cfs;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads what the vectors of tasks and of services have in common. */
public final class VectorReader {
    private VectorReader() {}

    public static SimulationSetup setup(JsonNode input) {
        return new SimulationSetup(
                input.required("host_cpus").intValue(),
                input.required("timeslice_us").longValue(),
                limit(input.required("limit")),
                rules(input.required("rules")),
                cost(input.path("cost")),
                input.required("sample_interval_us").longValue(),
                input.required("horizon_us").longValue());
    }

    private static CpuLimit limit(JsonNode limit) {
        return switch (limit.required("kind").textValue()) {
            case "quota" ->
                    new CpuLimit.Quota(
                            limit.required("quota_us").longValue(),
                            limit.required("period_us").longValue(),
                            limit.required("burst_us").longValue(),
                            limit.required("phase_us").longValue());
            case "cap" -> new CpuLimit.ConcurrencyCap(limit.required("cores").intValue());
            case "pinned" -> new CpuLimit.Pinned(limit.required("cores").intValue());
            case "unlimited" -> new CpuLimit.Unlimited();
            default -> throw new IllegalArgumentException("no such limit: " + limit);
        };
    }

    private static KernelRules rules(JsonNode rules) {
        return new KernelRules(
                rules.required("bandwidth_slice_us").longValue(),
                rules.required("kept_us").longValue(),
                rules.required("slack_delay_us").longValue(),
                rules.required("refresh_guard_us").longValue(),
                rules.required("grant_us").longValue(),
                GoldenVectors.optionalLong(rules.required("tick_us")),
                rules.required("slices_expire").booleanValue(),
                Departure.valueOf(rules.required("departure").textValue()));
    }

    private static CpuCost cost(JsonNode cost) {
        return cost.isMissingNode()
                ? CpuCost.CONSTANT
                : new CpuCost(fraction(cost, "kappa"), fraction(cost, "reference_cores"));
    }

    /** "2/5" or "3". */
    private static double fraction(JsonNode node, String name) {
        String[] parts = node.required(name).textValue().split("/");
        double value = Double.parseDouble(parts[0]);
        return parts.length == 1 ? value : value / Double.parseDouble(parts[1]);
    }

    public static CpuStat stat(JsonNode stat) {
        return new CpuStat(
                stat.required("periods").longValue(),
                stat.required("throttled_periods").longValue(),
                stat.required("throttled_us").longValue(),
                stat.required("bursts").longValue(),
                stat.required("burst_us").longValue());
    }

    public static List<List<Long>> trace(SimulationOutcome outcome) {
        return outcome.samples().stream().map(VectorReader::row).toList();
    }

    private static List<Long> row(TraceSample sample) {
        CpuStat stat = sample.stat();
        return List.of(
                sample.endUs(),
                sample.usageUs(),
                sample.runnableUs(),
                sample.stalledUs(),
                stat.periods(),
                stat.throttledPeriods(),
                stat.throttledUs(),
                stat.bursts(),
                stat.burstUs());
    }

    public static List<List<Long>> rows(JsonNode rows) {
        return stream(rows).map(VectorReader::longs).toList();
    }

    public static List<Long> longs(JsonNode values) {
        return stream(values).map(JsonNode::longValue).toList();
    }

    public static Stream<JsonNode> stream(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false);
    }
}
