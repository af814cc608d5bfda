package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.fixture.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ingest job between a real broker and a ClickHouse that checks every byte against the
 * migrations.
 */
@Tag("minicluster")
class IngestJobTest {
    /**
     * 2026-01-01 00:00 UTC; every append time of the test follows it, and ticks, which are written
     * now, close all of its rows.
     */
    private static final long MINUTE_MS = 1_767_225_600_000L;

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

    @Test
    void turnsRecordsIntoRowsAndPoisonIntoDeadLetters() throws Exception {
        KAFKA.create(
                3,
                "cpu-usage-windows.v1",
                "host-windows.v1",
                "shard-identities.v1",
                "service-windows.v1");
        KAFKA.create(1, "cpu-usage-windows.dlq.v1");
        appendMinute();
        long poison =
                KAFKA.append(
                        "cpu-usage-windows.v1",
                        1,
                        MINUTE_MS + 61_000,
                        "host-1",
                        new byte[] {1, 2, 3});

        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("ingest", IngestJob::plug);
            Map<String, Object> row =
                    Waiting.until(
                                    "the row of the minute",
                                    () -> clickHouse.rows("service_windows"),
                                    rows -> rows.size() == 1)
                            .get(0);
            assertThat(row)
                    .containsEntry("service", "checkout")
                    .containsEntry("quota_class", "200m/100ms")
                    .containsEntry("window_start", MINUTE_MS * 1000)
                    .containsEntry("part", 0L)
                    .containsEntry("records", 6L)
                    .containsEntry("expected_records", 6L)
                    .containsEntry("usage_us", 12_000_000L)
                    .containsEntry("slot_hosts", List.of(1L, 1L, 1L, 1L, 1L, 1L));
            assertThat(
                            Waiting.until(
                                    "shard rows",
                                    () -> clickHouse.rows("shard_windows"),
                                    rows -> rows.size() == 6))
                    .hasSize(6);
            assertThat(
                            Waiting.until(
                                            "host rows",
                                            () -> clickHouse.rows("host_windows"),
                                            rows -> rows.size() == 6)
                                    .get(0))
                    .containsEntry("drops", Map.of("spool_full", 2L))
                    .containsEntry("part", 0L);
            deadLetterHoldsThePoison(poison);
            Waiting.until(
                    "the row on its topic",
                    () ->
                            KAFKA.messages("service-windows.v1").stream()
                                    .filter(each -> each.value() != null)
                                    .count(),
                    count -> count == 1);
        }
    }

    private void deadLetterHoldsThePoison(long offset) throws Exception {
        List<ConsumerRecord<byte[], byte[]>> letters =
                Waiting.until(
                        "the dead letter",
                        () -> KAFKA.messages("cpu-usage-windows.dlq.v1"),
                        all -> all.size() == 1);
        ConsumerRecord<byte[], byte[]> letter = letters.get(0);
        assertThat(letter.value()).containsExactly(1, 2, 3);
        assertThat(new String(letter.key())).isEqualTo("cpu-usage-windows.v1/1/" + offset);
        assertThat(KafkaBroker.header(letter, "reason")).isEqualTo("bad_framing");
        assertThat(KafkaBroker.header(letter, "append_time_ms"))
                .isEqualTo(String.valueOf(MINUTE_MS + 61_000));
        assertThat(KafkaBroker.header(letter, "offset")).isEqualTo(String.valueOf(offset));
        assertThat(KafkaBroker.header(letter, "job_version")).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    private void appendMinute() throws Exception {
        for (int slot = 0; slot < 6; slot++) {
            long startMs = MINUTE_MS + slot * 10_000;
            ShardRecord shard = new ShardRecord();
            shard.seq = slot;
            shard.windowStartUs = startMs * 1000;
            KAFKA.append("cpu-usage-windows.v1", 0, startMs + 10_500, "host-1", shard.framed());
            HostRecord host = new HostRecord().sent("checkout", 1);
            host.seq = slot;
            host.windowStartUs = startMs * 1000;
            KAFKA.append("host-windows.v1", 2, startMs + 10_600, "host-1", host.framed());
        }
    }
}
