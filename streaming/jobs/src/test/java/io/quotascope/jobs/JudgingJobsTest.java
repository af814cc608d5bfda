package io.quotascope.jobs;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.catalog.CatalogLoader;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.rank.RankJob;
import io.quotascope.jobs.threads.ThreadsJob;
import io.quotascope.jobs.throttling.ThrottlingJob;
import io.quotascope.wire.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three judging jobs at once: from the topic of service windows, with a catalog loaded by its
 * command, to their tables.
 */
@Tag("minicluster")
class JudgingJobsTest {
    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(6)
                            .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @TempDir Path folder;

    @Test
    void judgeWhatArrivesWithTheCatalogInForce() throws Exception {
        KAFKA.create(3, "service-windows.v1");
        KAFKA.create(1, "service-catalog.v1", "cpu-usage-windows.dlq.v1");
        assertThat(loadCatalog("500"))
                .contains("loaded lab/checkout version 1")
                .contains("1 changes written");
        assertThat(loadCatalog("500")).contains("0 changes written");
        assertThat(loadCatalog("400")).contains("loaded lab/checkout version 2");

        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("threads", ThreadsJob::plug);
            run.start("throttling", ThrottlingJob::plug);
            run.start("rank", RankJob::plug);
            // A row without an entry shows that a job runs; only then is it certain that the
            // catalog was read before what follows.
            append(row(0, 0, 6, record -> record.service = "unlisted"));
            for (String table : List.of("thread_ratios", "throttling_summaries", "tuning_ranks")) {
                Waiting.until(
                        "the first row of " + table,
                        () -> clickHouse.rows(table),
                        rows -> rows.size() == 1);
            }
            append(row(1, 0, 6, record -> {}));
            append(row(1, 0, 6, record -> {}));
            append(row(1, 1_963_600, 3, record -> {}));
            KAFKA.append("service-windows.v1", 0, MINUTE_US / 1000 + 200_000, null, new byte[] {9});
            for (String table : List.of("thread_ratios", "throttling_summaries", "tuning_ranks")) {
                Waiting.until("the rows of " + table, () -> rows(table), rows -> rows.size() == 2);
                assertThat(rows(table))
                        .extracting(row -> row.get("part"))
                        .containsExactly(0L, 1_963_600L);
                assertThat(rows(table).get(1))
                        .containsEntry("team", "payments")
                        .containsEntry("reserved_cores", 0.4)
                        .containsEntry("version", (1L << 32) + 2);
            }
            assertThat(rows("throttling_summaries").get(1))
                    .containsEntry("records", 9L)
                    .containsEntry("throttled_period_ratio", 90 / 900.0);
            assertThat(rows("thread_ratios").get(1))
                    .containsEntry("threads_per_reserved_core_p99", 16 / 0.4)
                    .containsEntry("runnable_threads_per_reserved_core_p99", null);
            assertThat(rows("tuning_ranks").get(1))
                    .containsEntry("verdict", "throttled")
                    .containsEntry("rank_class", 1L);
            Waiting.until(
                    "dead letters of three jobs",
                    () -> KAFKA.messages("cpu-usage-windows.dlq.v1").size(),
                    count -> count == 3);
        }
    }

    private List<Map<String, Object>> rows(String table) {
        return clickHouse.rows(table).stream()
                .filter(row -> row.get("service").equals("checkout"))
                .toList();
    }

    private static void append(ServiceWindow row) throws Exception {
        KAFKA.append(
                "service-windows.v1",
                1,
                row.sums().windowStartUs() / 1000 + 91_000,
                row.sums().key().topicKey(),
                Codecs.SERVICE_WINDOWS.encode(row));
    }

    private String loadCatalog(String millicores) throws Exception {
        Path file = folder.resolve("catalog.yaml");
        Files.writeString(
                file,
                "entries:\n  - cluster: lab\n    service: checkout\n    team: payments\n    reserved_millicores: "
                        + millicores
                        + "\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int status =
                CatalogLoader.run(
                        new String[] {"--bootstrap", KAFKA.bootstrap(), "--file", file.toString()},
                        new PrintStream(out),
                        System.err);
        assertThat(status).isZero();
        return out.toString();
    }
}
