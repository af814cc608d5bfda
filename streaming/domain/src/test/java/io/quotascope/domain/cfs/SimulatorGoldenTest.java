package io.quotascope.domain.cfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        SimulationOutcome outcome =
                CfsSimulator.run(VectorReader.setup(input), plans(input.required("tasks")));
        assertThat(outcome.stat()).isEqualTo(VectorReader.stat(expect.required("stat")));
        assertThat(outcome.article())
                .isEqualTo(
                        new SimulationOutcome.ArticleCounts(
                                expect.required("active_periods").longValue(),
                                expect.required("stalled_periods").longValue()));
        assertThat(outcome.usageUs()).isEqualTo(expect.required("usage_us").longValue());
        assertThat(outcome.burstEndsUs())
                .isEqualTo(
                        VectorReader.stream(expect.required("burst_ends_us"))
                                .map(VectorReader::longs)
                                .toList());
        assertThat(outcome.poolUs()).isEqualTo(expect.required("pool_us").longValue());
        assertThat(outcome.cpus())
                .extracting(SimulationOutcome.CpuLeft::runtimeUs)
                .isEqualTo(VectorReader.longs(expect.required("runtime_left_us")));
        assertThat(
                        IntStream.range(0, outcome.cpus().size())
                                .filter(cpu -> outcome.cpus().get(cpu).throttled())
                                .mapToObj(cpu -> (long) cpu)
                                .toList())
                .isEqualTo(VectorReader.longs(expect.required("throttled_cpus")));
        assertThat(VectorReader.trace(outcome))
                .isEqualTo(VectorReader.rows(expect.required("trace")));
    }

    private static List<TaskPlan> plans(JsonNode tasks) {
        List<TaskPlan> plans = new ArrayList<>();
        for (JsonNode task : tasks) {
            plans.add(
                    new TaskPlan(
                            task.required("start_us").longValue(),
                            VectorReader.stream(task.required("bursts"))
                                    .map(VectorReader::longs)
                                    .map(burst -> new TaskPlan.Burst(burst.get(0), burst.get(1)))
                                    .toList(),
                            task.required("cycles").intValue()));
        }
        return plans;
    }
}
