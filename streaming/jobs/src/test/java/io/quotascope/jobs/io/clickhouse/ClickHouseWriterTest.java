package io.quotascope.jobs.io.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.ClickHouseStandIn.Reply;
import io.quotascope.wire.avro.Origin;
import io.quotascope.wire.avro.ShardIdentity;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ClickHouseWriterTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @TempDir Path folder;
    private OneInputStreamOperatorTestHarness<Long, ?> operator;

    @BeforeEach
    void open() throws Exception {
        Files.writeString(folder.resolve("password"), "secret\n");
        ClickHouseTarget target =
                new ClickHouseTarget(
                        URI.create(clickHouse.url() + "/"),
                        "ingest",
                        folder.resolve("password").toString(),
                        "quotascope",
                        new ClickHouseTarget.Batch(3, 1_000, Duration.ofSeconds(2)),
                        new ClickHouseTarget.Retry(Duration.ofSeconds(5), SHORT, SHORT));
        ClickHouseSink<Long> sink =
                new ClickHouseSink<>(target, Table.SHARD_IDENTITIES, ClickHouseWriterTest::row);
        operator =
                new OneInputStreamOperatorTestHarness<>(
                        new SinkWriterOperatorFactory<>(sink), LongSerializer.INSTANCE);
        operator.setProcessingTime(0);
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        clickHouse.plan(number -> Reply.TAKEN);
        operator.close();
    }

    private static TableRow row(long id) {
        String text = id == 1_000 ? "x".repeat(1_000) : "shard";
        return TableRow.of(
                new ShardIdentity(
                        "h",
                        1L,
                        "lab",
                        Origin.simulated,
                        id,
                        "s",
                        text,
                        5L,
                        "/p",
                        6L,
                        "lab",
                        null,
                        null,
                        null,
                        7L,
                        null,
                        Map.of("b", "2", "a", "1")));
    }

    private void write(long id) throws Exception {
        operator.processElement(id, 0);
    }

    @Test
    void sendsWhenTheRowsAreMany() throws Exception {
        write(1);
        write(2);
        assertThat(clickHouse.requests()).isZero();
        write(3);
        assertThat(clickHouse.requests()).isEqualTo(1);
        assertThat(clickHouse.rows("shard_identities"))
                .extracting(row -> row.get("shard_id"))
                .containsExactly(1L, 2L, 3L);
        assertThat(clickHouse.rows("shard_identities").get(0))
                .containsEntry("cpu_shares", 7L)
                .containsEntry("pod_uid", null)
                .containsEntry("observed_at", 5L)
                .containsEntry("labels", Map.of("a", "1", "b", "2"));
    }

    @Test
    void sendsWhenTheBytesAreMany() throws Exception {
        write(1_000);
        assertThat(clickHouse.rows("shard_identities")).hasSize(1);
    }

    @Test
    void sendsWhenARowHasWaitedLongEnough() throws Exception {
        write(1);
        operator.setProcessingTime(1_999);
        assertThat(clickHouse.requests()).isZero();
        operator.setProcessingTime(2_000);
        assertThat(clickHouse.rows("shard_identities")).hasSize(1);
    }

    @Test
    void sendsBeforeACheckpointIsTaken() throws Exception {
        write(1);
        operator.prepareSnapshotPreBarrier(1);
        assertThat(clickHouse.rows("shard_identities")).hasSize(1);
        operator.prepareSnapshotPreBarrier(2);
        assertThat(clickHouse.requests()).isEqualTo(1);
    }

    @Test
    void repeatsUntilTaken() throws Exception {
        clickHouse.plan(number -> number < 5 ? Reply.BUSY : Reply.TAKEN);
        write(1);
        operator.prepareSnapshotPreBarrier(1);
        assertThat(clickHouse.requests()).isEqualTo(5);
        assertThat(clickHouse.rows("shard_identities")).hasSize(1);
    }

    @Test
    void repeatsTheSameBytesWhenOnlyTheAnswerWasLost() throws Exception {
        clickHouse.plan(number -> number == 1 ? Reply.TAKEN_BUT_TIMED_OUT : Reply.TAKEN);
        write(1);
        operator.prepareSnapshotPreBarrier(1);
        assertThat(clickHouse.rows("shard_identities")).hasSize(2);
        assertThat(clickHouse.rows("shard_identities").get(0))
                .isEqualTo(clickHouse.rows("shard_identities").get(1));
    }

    @Test
    void failsTheJobWithTableAndReasonWhenRepeatingCannotHelp() throws Exception {
        clickHouse.plan(number -> Reply.NO_SUCH_COLUMN);
        write(1);
        assertThatThrownBy(() -> operator.prepareSnapshotPreBarrier(1))
                .hasMessageContaining("quotascope.shard_identities")
                .hasMessageContaining("Code: 16");
        assertThat(clickHouse.requests()).isEqualTo(1);
    }

    @Test
    void waitsForAServerThatIsAwayUntilTheTaskIsInterrupted() throws Exception {
        clickHouse.plan(number -> Reply.BUSY);
        write(1);
        Thread task = Thread.currentThread();
        Thread cancel =
                new Thread(
                        () -> {
                            while (clickHouse.requests() < 3) {
                                Thread.onSpinWait();
                            }
                            task.interrupt();
                        });
        cancel.start();
        assertThatThrownBy(() -> operator.prepareSnapshotPreBarrier(1))
                .isInstanceOf(InterruptedException.class);
        cancel.join();
        assertThat(clickHouse.rows("shard_identities")).isEmpty();
    }

    @Test
    void passingShortagesAreRepeatedAndWrongRequestsAreNot() {
        assertThat(ClickHouseErrors.isFinal(500, 241)).as("memory limit").isFalse();
        assertThat(ClickHouseErrors.isFinal(500, 252)).as("too many parts").isFalse();
        assertThat(ClickHouseErrors.isFinal(503, 0)).as("a proxy without a server").isFalse();
        assertThat(ClickHouseErrors.isFinal(429, 0)).as("too many requests").isFalse();
        assertThat(ClickHouseErrors.isFinal(404, 60)).as("unknown table").isTrue();
        assertThat(ClickHouseErrors.isFinal(403, 516)).as("wrong password").isTrue();
        assertThat(ClickHouseErrors.isFinal(413, 0)).as("a proxy that refuses the size").isTrue();
    }
}
