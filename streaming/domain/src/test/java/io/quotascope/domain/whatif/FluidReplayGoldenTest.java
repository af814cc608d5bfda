package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class FluidReplayGoldenTest {
    private final FluidReplay replay = new FluidReplay();

    @TestFactory
    Stream<DynamicTest> replays() {
        return GoldenVectors.tests("fluid_replay.json", this::check);
    }

    private void check(JsonNode input, JsonNode expect) {
        ReplayCase given = given(input);
        ReplayOutcome outcome = replay.run(given);
        assertThat(outcome.periods()).isEqualTo(expect.required("periods").longValue());
        assertThat(outcome.throttledPeriods())
                .isEqualTo(expect.required("throttled_periods").longValue());
        assertThat(outcome.throttledRunPeriodsMax())
                .isEqualTo(expect.required("throttled_run_periods_max").longValue());
        exactly(outcome.throttledWallUs(), expect, "throttled_wall_us");
        exactly(outcome.wantedCpuUs(), expect, "wanted_cpu_us");
        exactly(outcome.servedCpuUs(), expect, "served_cpu_us");
        exactly(outcome.usedCpuUs(), expect, "served_cpu_us");
        exactly(outcome.backlogCpuUsMax(), expect, "backlog_cpu_us_max");
        percentile(outcome.delay().p50(), expect, "delay_us_p50");
        percentile(outcome.delay().p90(), expect, "delay_us_p90");
        percentile(outcome.delay().p99(), expect, "delay_us_p99");
        stall(outcome.stall().p90(), expect, "stall_us_p90");
        stall(outcome.stall().p99(), expect, "stall_us_p99");
        if (given.clients().isPresent()) {
            ReplayOutcome.Timeouts timeouts = outcome.timeouts().orElseThrow();
            exactly(timeouts.timedOutRatio(), expect, "timed_out_ratio");
            exactly(timeouts.tailTimedOutRatio(), expect, "tail_timed_out_ratio");
            exactly(timeouts.retriedCpuUs(), expect, "retried_cpu_us");
            return;
        }
        assertThat(outcome.timeouts()).isEmpty();
        assertThat(replay.throttledPeriodRatio(given.demand(), given.allowance()))
                .isEqualTo(outcome.throttledPeriodRatio());
    }

    private static void exactly(double value, JsonNode expect, String name) {
        double expected = expect.required(name).doubleValue();
        assertThat(value).as(name).isCloseTo(expected, Offset.offset(1e-6 * Math.max(1, expected)));
    }

    private static void percentile(double value, JsonNode expect, String name) {
        double expected = expect.required(name).doubleValue();
        assertThat(value).as(name).isCloseTo(expected, Offset.offset(0.04 * expected + 100));
    }

    /** Work of one stalled stretch counts as arriving in its middle: half a slot at most. */
    private static void stall(double value, JsonNode expect, String name) {
        double expected = expect.required(name).doubleValue();
        assertThat(value)
                .as(name)
                .isCloseTo(expected, Offset.offset(0.04 * expected + DemandSeries.SLOT_US / 2.0));
    }

    private static ReplayCase given(JsonNode input) {
        double[] cores =
                StreamSupport.stream(input.required("cores").spliterator(), false)
                        .mapToDouble(JsonNode::doubleValue)
                        .toArray();
        JsonNode quota = input.required("quota");
        JsonNode clients = input.required("clients");
        Optional<CpuLimit.Quota> limit =
                quota.isNull()
                        ? Optional.empty()
                        : Optional.of(
                                new CpuLimit.Quota(
                                        quota.required("quota_us").longValue(),
                                        quota.required("period_us").longValue(),
                                        quota.required("burst_us").longValue(),
                                        quota.required("phase_us").longValue()));
        ReplayCase patient =
                ReplayCase.of(
                        DemandSeries.of(cores, DemandSeries.Provenance.RECORDED),
                        new Allowance(limit, input.required("cap_cores").doubleValue()));
        return clients.isNull()
                ? patient
                : patient.withClients(
                        new ClientPolicy(
                                clients.required("timeout_us").longValue(),
                                clients.required("retries").intValue()));
    }
}
