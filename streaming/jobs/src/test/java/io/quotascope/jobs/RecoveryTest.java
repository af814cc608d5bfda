package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.ClickHouseStandIn.Reply;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.LogSimulation;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.wire.Codecs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ingest job loses a task manager while ClickHouse fails one insert in seven; in the end the
 * tables and the topic hold what the definition says and nothing else.
 */
@Tag("minicluster")
class RecoveryTest {
    private static final long SEED = 77;
    private static final long DAY_MS = 86_400_000;

    @TempDir static Path folder;

    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    () ->
                            new MiniClusterResourceConfiguration.Builder()
                                    .setNumberTaskManagers(2)
                                    .setNumberSlotsPerTaskManager(1)
                                    .setConfiguration(JobRun.cluster(folder))
                                    .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @Test
    void aKilledTaskManagerChangesNoRow(@InjectMiniCluster MiniCluster cluster) throws Exception {
        KAFKA.create(
                3,
                "cpu-usage-windows.v1",
                "host-windows.v1",
                "shard-identities.v1",
                "service-windows.v1");
        KAFKA.create(1, "cpu-usage-windows.dlq.v1");
        List<List<LogRecord>> log = new LogSimulation(SEED).partitions();
        TreeMap<String, String> reference = TimePartReference.rows(log);
        clickHouse.plan(
                number ->
                        number % 7 == 3
                                ? Reply.BUSY
                                : number % 7 == 6 ? Reply.TAKEN_BUT_TIMED_OUT : Reply.TAKEN);

        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            append(log, 0, 0.6);
            run.start("ingest", IngestJob::plug);
            Waiting.until(
                    "rows of shards",
                    () -> clickHouse.rows("shard_windows").size(),
                    rows -> rows > 20);
            Waiting.until("a checkpoint", RecoveryTest::checkpoints, count -> count > 0);
            append(log, 0.6, 0.8);
            cluster.terminateTaskManager(0).get();
            cluster.startTaskManager();
            append(log, 0.8, 1);
            for (List<LogRecord> partition : log) {
                LogRecord last = partition.get(partition.size() - 1);
                KAFKA.append(
                        List.of(
                                new LogRecord(
                                        last.topic(),
                                        last.partition(),
                                        0,
                                        LogSimulation.START_MS + 2 * DAY_MS,
                                        null)));
            }
            Waiting.until(
                    "all rows of services",
                    () -> WrittenRows.of(clickHouse).keySet(),
                    keys -> keys.containsAll(reference.keySet()));
            Waiting.until(
                    "all rows on the topic",
                    () -> rowsOnTheTopic().size(),
                    count -> count >= reference.size());
        }
        assertThat(WrittenRows.of(clickHouse)).isEqualTo(reference);
        assertThat(rowsOnTheTopic().keySet()).isEqualTo(reference.keySet());
    }

    private static void append(List<List<LogRecord>> log, double from, double to) throws Exception {
        for (List<LogRecord> partition : log) {
            KAFKA.append(
                    partition.subList(
                            (int) (partition.size() * from), (int) (partition.size() * to)));
        }
    }

    private static long checkpoints() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().equals("_metadata")).count();
        }
    }

    private static TreeMap<String, Long> rowsOnTheTopic() {
        TreeMap<String, Long> rows = new TreeMap<>();
        KAFKA.messages("service-windows.v1").stream()
                .filter(message -> message.value() != null)
                .map(message -> Codecs.SERVICE_WINDOWS.decode(message.value()).orElseThrow())
                .forEach(
                        row ->
                                rows.merge(
                                        row.sums().key().service()
                                                + " minute "
                                                + row.sums().windowStartUs() / 1000
                                                + " part "
                                                + row.part(),
                                        1L,
                                        Long::sum));
        return rows;
    }
}
