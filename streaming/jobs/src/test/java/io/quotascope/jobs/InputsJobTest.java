package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.inputs.Inputs;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.inputs.InputsJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the inputs command tells a real broker arrives in the tables, and telling twice adds
 * nothing.
 */
@Tag("minicluster")
class InputsJobTest {
    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @TempDir Path folder;

    private record Said(int status, String out, String err) {}

    private Said inputs(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--bootstrap");
        all.add(KAFKA.bootstrap());
        int status =
                Inputs.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(all.toArray(String[]::new));
        return new Said(status, out.toString(), err.toString());
    }

    private String file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void whatIsToldArrivesInItsTable() throws Exception {
        KAFKA.create(
                1,
                "price-book.v1",
                "change-events.v1",
                "recommendation-ledger.v1",
                "service-load.v1",
                "cpu-usage-windows.dlq.v1");
        String prices = "../../infra/native/lab-prices.yaml";
        assertThat(inputs("prices", "load", prices).out()).contains("version 1 written");
        assertThat(inputs("prices", "load", prices).out()).contains("says the same already");
        changes();
        ledger();
        String loads =
                file(
                        "loads.csv",
                        "cluster,service,window_start,requests,latency_le_us_5000,latency_le_us_inf\n"
                                + "lab,a,2026-11-22T10:00:00Z,10,7,10\n"
                                + "lab,a,2026-11-22T10:00:30Z,10,7,10\n"
                                + "lab,a,2026-11-22T10:01:00Z,10,11,10\n");
        Said half = inputs("load", "import-csv", loads);
        assertThat(half.status()).isEqualTo(2);
        assertThat(half.out()).contains("1 minutes written");
        assertThat(half.err())
                .contains("loads.csv:3: window_start_us must be a full minute")
                .contains("loads.csv:4: latency counts are cumulative");
        KAFKA.append("change-events.v1", 0, 1, null, new byte[] {9});
        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("inputs", InputsJob::plug);
            rows("price_books", 1);
            rows("change_events", 2);
            rows("recommendations", 5);
            rows("service_loads", 1);
            Waiting.until(
                    "the dead letter",
                    () -> KAFKA.messages("cpu-usage-windows.dlq.v1").size(),
                    count -> count == 1);
        }
        assertThat(clickHouse.rows("recommendations"))
                .extracting(row -> row.get("state") + " " + row.get("credited_cores"))
                .containsExactlyInAnyOrder(
                        "proposed 0.0",
                        "accepted 2.0",
                        "proposed 0.0",
                        "accepted 1.0",
                        "applied 2.0");
        assertThat(clickHouse.rows("change_events"))
                .extracting(row -> row.get("version"))
                .containsExactlyInAnyOrder(1L, 2L);
    }

    private void rows(String table, int count) throws Exception {
        Waiting.until(
                "the rows of " + table, () -> clickHouse.rows(table), all -> all.size() == count);
    }

    private void changes() {
        String lab = "../../infra/native/lab-changes.yaml";
        assertThat(inputs("change", "import", lab).out()).contains("1 changes read, 1 written");
        assertThat(inputs("change", "import", lab).out()).contains("1 changes read, 0 written");
        String[] withdraw = {
            "change",
            "withdraw",
            "--cluster",
            "lab",
            "--service",
            "auth-tuned",
            "--event-id",
            "declared/pools/1795165200000000"
        };
        assertThat(inputs(withdraw).out()).contains("withdrawn declared/pools");
        assertThat(inputs(withdraw).out()).contains("is withdrawn already");
        withdraw[7] = "other";
        Said unknown = inputs(withdraw);
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no change other of measured/lab/auth-tuned");
    }

    private void ledger() throws Exception {
        String accepted =
                file(
                        "accepted.csv",
                        "cluster,service,recommendation_id,setting_text,owner,reserved_cores,"
                                + "reclaimable_cores,reclaimable_cores_low,reclaimable_cores_high\n"
                                + "lab,a,r-1,20 threads,me,10,2,1,3\n"
                                + "lab,a,r-2,burst 50 ms,me,10,3,1,4\n"
                                + "lab,a,r-3,period 10 ms,,10,3,1,4\n");
        Said imported = inputs("recommendation", "import", accepted);
        assertThat(imported.status()).isEqualTo(2);
        assertThat(imported.err()).contains("accepted.csv:4: owner is missing");
        assertThat(imported.out()).contains("4 steps written");
        assertThat(inputs("recommendation", "import", accepted).out()).contains("0 steps written");
        assertThat(inputs("recommendation", "applied", "r-1", "--by", "me").out())
                .contains("applied measured/lab/a/r-1 version 3, 2.00 cores credited");
        Said late = inputs("recommendation", "accept", "r-1", "--by", "me", "--owner", "me");
        assertThat(late.status()).isEqualTo(2);
        assertThat(late.err()).contains("r-1 is applied and cannot become accepted");
        assertThat(inputs("recommendation", "list", "--state", "accepted").out())
                .contains("r-2")
                .doesNotContain("r-1");
    }
}
