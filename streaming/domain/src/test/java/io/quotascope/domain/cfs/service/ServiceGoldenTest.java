package io.quotascope.domain.cfs.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.cfs.VectorReader;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ServiceGoldenTest {
    @TestFactory
    Stream<DynamicTest> services() {
        return GoldenVectors.tests("cfs_requests.json", ServiceGoldenTest::check);
    }

    private static void check(JsonNode input, JsonNode expect) {
        JsonNode service = input.required("service");
        ServiceRun run =
                ServiceSimulator.run(VectorReader.setup(input), plan(service), requests(service));
        assertThat(run.trace().stat()).isEqualTo(VectorReader.stat(expect.required("stat")));
        assertThat(run.trace().usageUs()).isEqualTo(expect.required("usage_us").longValue());
        assertThat(VectorReader.trace(run.trace()))
                .isEqualTo(VectorReader.rows(expect.required("trace")));
        assertThat(
                        run.trace().samples().stream()
                                .mapToLong(sample -> sample.throttledWallUs())
                                .sum())
                .isEqualTo(expect.required("throttled_wall_us").longValue());
        assertThat(
                        run.trace().periods().stream()
                                .map(
                                        period ->
                                                List.of(
                                                        period.endUs(),
                                                        period.usageUs(),
                                                        period.throttled() ? 1L : 0L))
                                .toList())
                .isEqualTo(VectorReader.rows(expect.required("periods")));
        ServiceRequests requests = run.requests();
        assertThat(requests.latenciesUs())
                .containsExactly(
                        VectorReader.longs(expect.required("latencies_us")).stream()
                                .mapToLong(Long::longValue)
                                .toArray());
        checkCounts(requests, expect.required("counts"));
    }

    private static void checkCounts(ServiceRequests requests, JsonNode counts) {
        assertThat(
                        List.of(
                                requests.offered(),
                                requests.attempts(),
                                requests.answered(),
                                requests.timedOutAttempts(),
                                requests.refusedAttempts(),
                                requests.givenUp(),
                                requests.lateAnswers(),
                                requests.droppedTasks(),
                                requests.judged(),
                                requests.judgedFailed()))
                .isEqualTo(
                        Stream.of(
                                        "offered",
                                        "attempts",
                                        "answered",
                                        "timed_out",
                                        "refused",
                                        "given_up",
                                        "late",
                                        "dropped",
                                        "judged",
                                        "judged_failed")
                                .map(name -> counts.required(name).longValue())
                                .toList());
    }

    private static ServicePlan plan(JsonNode service) {
        JsonNode client = service.required("client");
        return new ServicePlan(
                new Client(
                        client.required("timeout_us").longValue(),
                        client.required("retries").intValue(),
                        client.required("backoff_us").longValue()),
                VectorReader.stream(service.required("pools"))
                        .map(ServiceGoldenTest::pool)
                        .toList(),
                collections(service.required("collections")),
                VectorReader.stream(service.required("loops"))
                        .map(ServiceGoldenTest::loop)
                        .toList());
    }

    private static Pool pool(JsonNode pool) {
        return new Pool(
                pool.required("threads").intValue(),
                pool.required("queue_tasks").intValue(),
                pool.required("drops_expired").booleanValue());
    }

    private static Optional<Collections> collections(JsonNode plan) {
        return plan.isNull()
                ? Optional.empty()
                : Optional.of(
                        new Collections(
                                plan.required("every_us").longValue(),
                                plan.required("threads").intValue(),
                                plan.required("burn_us").longValue()));
    }

    private static Loop loop(JsonNode loop) {
        return new Loop(
                loop.required("threads").intValue(),
                loop.required("burn_us").longValue(),
                loop.required("sleep_us").longValue(),
                loop.required("on_us").longValue(),
                loop.required("off_us").longValue(),
                loop.required("start_us").longValue());
    }

    private static RequestStream requests(JsonNode service) {
        return RequestStream.of(
                VectorReader.stream(service.required("requests"))
                        .map(
                                request ->
                                        new Request(
                                                request.required("arrives_us").longValue(),
                                                VectorReader.longs(request.required("tasks_us"))
                                                        .stream()
                                                        .mapToLong(Long::longValue)
                                                        .toArray(),
                                                request.required("pool").intValue()))
                        .toList());
    }
}
