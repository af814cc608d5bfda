package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.LogSimulation;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.io.log.LogRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ingest job hands its state over, to itself at another parallelism and from the kept savepoint
 * of an earlier build to this one; no row is lost, doubled or changed.
 *
 * <p>{@code mvn test -Dtest=HandoverTest -Dsavepoint.keep=true} keeps a savepoint of this build. Do
 * that only when an earlier release's state is given up on purpose, and say so in the journal.
 */
@Tag("minicluster")
class HandoverTest {
    private static final long SEED = 78;
    private static final long DAY_MS = 86_400_000;
    private static final double HANDED_OVER_AT = 0.7;
    private static final String WRITTEN = "written.txt";
    private static final Path KEPT =
            Path.of("src", "test", "resources", "savepoints", "ingest").toAbsolutePath();

    @TempDir static Path folder;

    private final KafkaBroker kafka = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    () ->
                            new MiniClusterResourceConfiguration.Builder()
                                    .setNumberTaskManagers(1)
                                    .setNumberSlotsPerTaskManager(4)
                                    .setConfiguration(JobRun.cluster(folder))
                                    .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    private final List<List<LogRecord>> log = new LogSimulation(SEED).partitions();

    @BeforeEach
    void create() throws Exception {
        kafka.beforeAll(null);
        kafka.create(
                3,
                "cpu-usage-windows.v1",
                "host-windows.v1",
                "shard-identities.v1",
                "service-windows.v1");
        kafka.create(1, "cpu-usage-windows.dlq.v1");
    }

    @AfterEach
    void close() throws Exception {
        kafka.afterAll(null);
    }

    @Test
    void aSavepointContinuesAtAnotherParallelism() throws Exception {
        TreeMap<String, String> reference = TimePartReference.rows(log);
        append(0, 0.5);
        try (JobRun run = new JobRun(kafka, clickHouse, folder)) {
            JobClient two = run.start("ingest", IngestJob::plug);
            awaitShards(20);
            String first = run.stop(two, folder.resolve("savepoints"));
            append(0.5, 0.8);
            JobClient three = run.continuing(first, 3).start("ingest", IngestJob::plug);
            awaitShards(rowsOfShards() + 20);
            String second = run.stop(three, folder.resolve("savepoints"));
            run.continuing(second, 1).start("ingest", IngestJob::plug);
            append(0.8, 1);
            closeTheLog();
            awaitServices(reference);
        }
        assertThat(WrittenRows.of(clickHouse)).isEqualTo(reference);
    }

    @Test
    void theKeptSavepointOfAnEarlierBuildContinues() throws Exception {
        if (Boolean.getBoolean("savepoint.keep")) {
            keep();
            clickHouse.forget();
            kafka.afterAll(null);
            create();
        }
        TreeMap<String, String> reference = TimePartReference.rows(log);
        TreeMap<String, String> before = new TreeMap<>();
        for (String line : Files.readAllLines(KEPT.resolve(WRITTEN))) {
            String[] halves = line.split("\t", 2);
            before.put(halves[0], halves[1]);
        }
        append(0, HANDED_OVER_AT);
        // Positions are those of the log that the savepoint was taken of: a tick lay in each
        // partition.
        tick(LogSimulation.START_MS);
        try (JobRun run = new JobRun(kafka, clickHouse, folder)) {
            run.with("tick.interval", "1 h")
                    .continuing(KEPT.toUri().toString(), 2)
                    .start("ingest", IngestJob::plug);
            append(HANDED_OVER_AT, 1);
            closeTheLog();
            TreeMap<String, String> rest = new TreeMap<>(reference);
            rest.keySet().removeAll(before.keySet());
            assertThat(rest).as("rows that were open when the state was handed over").isNotEmpty();
            awaitServices(rest);
        }
        TreeMap<String, String> all = WrittenRows.of(clickHouse);
        before.forEach(
                (key, line) ->
                        assertThat(all.getOrDefault(key, line)).as("again " + key).isEqualTo(line));
        all.putAll(before);
        assertThat(all).isEqualTo(reference);
    }

    /** Writes the savepoint of this build, and the rows that it had written by then. */
    private void keep() throws Exception {
        append(0, HANDED_OVER_AT);
        try (JobRun run = new JobRun(kafka, clickHouse, folder)) {
            JobClient client = run.with("tick.interval", "1 h").start("ingest", IngestJob::plug);
            awaitShards(20);
            Path savepoint = Path.of(URI.create(run.stop(client, folder)));
            delete(KEPT);
            Files.createDirectories(KEPT);
            try (Stream<Path> files = Files.list(savepoint)) {
                for (Path file : files.toList()) {
                    Files.copy(file, KEPT.resolve(file.getFileName()));
                }
            }
        }
        StringBuilder lines = new StringBuilder();
        WrittenRows.of(clickHouse)
                .forEach((key, row) -> lines.append(key).append('\t').append(row).append('\n'));
        Files.writeString(KEPT.resolve(WRITTEN), lines);
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void append(double from, double to) throws Exception {
        for (List<LogRecord> partition : log) {
            kafka.append(
                    partition.subList(
                            (int) (partition.size() * from), (int) (partition.size() * to)));
        }
    }

    private void closeTheLog() throws Exception {
        tick(LogSimulation.START_MS + 2 * DAY_MS);
    }

    private void tick(long appendTimeMs) throws Exception {
        for (List<LogRecord> partition : log) {
            LogRecord any = partition.get(0);
            kafka.append(
                    List.of(new LogRecord(any.topic(), any.partition(), 0, appendTimeMs, null)));
        }
    }

    private int rowsOfShards() {
        return clickHouse.rows("shard_windows").size();
    }

    private void awaitShards(int atLeast) throws Exception {
        Waiting.until("rows of shards", this::rowsOfShards, rows -> rows >= atLeast);
    }

    private void awaitServices(TreeMap<String, String> wanted) throws Exception {
        Waiting.until(
                "all rows of services",
                () -> WrittenRows.of(clickHouse).keySet(),
                keys -> keys.containsAll(wanted.keySet()));
    }
}
