package io.quotascope.jobs;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.inputs.Inputs;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.hours.HoursJob;
import io.quotascope.jobs.rank.RankJob;
import io.quotascope.jobs.threads.ThreadsJob;
import io.quotascope.jobs.throttling.ThrottlingJob;
import io.quotascope.wire.Codecs;
import java.io.PrintWriter;
import java.io.StringWriter;
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
 * The judging jobs of every minute and the hours at once: from the topic of service windows, with a
 * catalog loaded by its command, to their tables.
 */
@Tag("minicluster")
class JudgingJobsTest {
    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(8)
                            .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @TempDir Path folder;

    @Test
    void judgeWhatArrivesWithTheCatalogInForce() throws Exception {
        KAFKA.create(3, "service-windows.v1", "service-hours.v1");
        KAFKA.create(2, "savings-estimates.v1", "collapse-risks.v1");
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
            run.start("hours", HoursJob::plug);
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
                    "the rows of service_latest",
                    () -> rows("service_latest"),
                    rows -> rows.size() == 2);
            assertThat(rows("service_latest").get(1))
                    .containsEntry("verdict", "throttled")
                    .containsEntry("history_hours", 1L)
                    .containsEntry("savings_usd_per_year", null)
                    .hasEntrySatisfying(
                            "value_reasons",
                            reasons ->
                                    assertThat((List<?>) reasons)
                                            .hasSize(2)
                                            .first()
                                            .isEqualTo(
                                                    "no savings estimate yet: what tuning is worth is not known"));
            Waiting.until(
                    "dead letters of four jobs",
                    () -> KAFKA.messages("cpu-usage-windows.dlq.v1").size(),
                    count -> count == 4);
            closeTheHour();
        }
    }

    /** The late part lies beyond the hour, so the hour has two rows. */
    private void closeTheHour() throws Exception {
        for (int partition = 0; partition < 3; partition++) {
            KAFKA.append("service-windows.v1", partition, 1_963_602L * 900_000, null, null);
        }
        Waiting.until("the hour", () -> rows("service_hours"), rows -> rows.size() == 2);
        assertThat(rows("service_hours").get(0))
                .containsEntry("records", 6L)
                .containsEntry("minutes", 1L)
                .containsEntry("team", "payments");
        assertThat(rows("service_hours").get(1))
                .containsEntry("records", 9L)
                .containsEntry("part", 1_963_600L)
                .containsEntry("throttled_period_ratio", 0.1);
        Waiting.until(
                "hours and ticks on the topic",
                () -> KAFKA.messages("service-hours.v1"),
                messages ->
                        messages.stream().filter(each -> each.value() != null).count() == 3
                                && messages.stream().anyMatch(each -> each.value() == null));
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
        StringWriter out = new StringWriter();
        int status =
                Inputs.commandLine()
                        .setOut(new PrintWriter(out))
                        .execute(
                                "catalog",
                                "load",
                                "--bootstrap",
                                KAFKA.bootstrap(),
                                file.toString());
        assertThat(status).isZero();
        return out.toString();
    }
}
