package io.quotascope.domain.cfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class SimulatorGoldenTest {
    @TestFactory
    Stream<DynamicTest> workedExamples() {
        return GoldenVectors.tests("cfs_worked_examples.json", SimulatorGoldenTest::check);
    }

    @TestFactory
    Stream<DynamicTest> rules() {
        return GoldenVectors.tests("cfs_rules.json", SimulatorGoldenTest::check);
    }

    @TestFactory
    Stream<DynamicTest> situationsDrawnByChance() {
        return GoldenVectors.tests("cfs_random.json", SimulatorGoldenTest::check);
    }

    private static void check(JsonNode input, JsonNode expect) {
        SimulationOutcome outcome = CfsSimulator.run(setup(input), plans(input.required("tasks")));
        JsonNode stat = expect.required("stat");
        assertThat(outcome.stat())
                .isEqualTo(
                        new CpuStat(
                                stat.required("periods").longValue(),
                                stat.required("throttled_periods").longValue(),
                                stat.required("throttled_us").longValue(),
                                stat.required("bursts").longValue(),
                                stat.required("burst_us").longValue()));
        assertThat(outcome.article())
                .isEqualTo(
                        new SimulationOutcome.ArticleCounts(
                                expect.required("active_periods").longValue(),
                                expect.required("stalled_periods").longValue()));
        assertThat(outcome.usageUs()).isEqualTo(expect.required("usage_us").longValue());
        assertThat(outcome.burstEndsUs())
                .isEqualTo(
                        stream(expect.required("burst_ends_us"))
                                .map(SimulatorGoldenTest::longs)
                                .toList());
        assertThat(outcome.poolUs()).isEqualTo(expect.required("pool_us").longValue());
        assertThat(outcome.cpus())
                .extracting(SimulationOutcome.CpuLeft::runtimeUs)
                .isEqualTo(longs(expect.required("runtime_left_us")));
        assertThat(
                        IntStream.range(0, outcome.cpus().size())
                                .filter(cpu -> outcome.cpus().get(cpu).throttled())
                                .mapToObj(cpu -> (long) cpu)
                                .toList())
                .isEqualTo(longs(expect.required("throttled_cpus")));
        assertThat(outcome.samples().stream().map(SimulatorGoldenTest::row).toList())
                .isEqualTo(
                        stream(expect.required("trace")).map(SimulatorGoldenTest::longs).toList());
    }

    private static SimulationSetup setup(JsonNode input) {
        return new SimulationSetup(
                input.required("host_cpus").intValue(),
                input.required("timeslice_us").longValue(),
                limit(input.required("limit")),
                rules(input.required("rules")),
                CpuCost.CONSTANT,
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

    private static List<TaskPlan> plans(JsonNode tasks) {
        List<TaskPlan> plans = new ArrayList<>();
        for (JsonNode task : tasks) {
            plans.add(
                    new TaskPlan(
                            task.required("start_us").longValue(),
                            stream(task.required("bursts"))
                                    .map(SimulatorGoldenTest::longs)
                                    .map(burst -> new TaskPlan.Burst(burst.get(0), burst.get(1)))
                                    .toList(),
                            task.required("cycles").intValue()));
        }
        return plans;
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

    private static List<Long> longs(JsonNode values) {
        return stream(values).map(JsonNode::longValue).toList();
    }

    private static Stream<JsonNode> stream(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false);
    }
}
