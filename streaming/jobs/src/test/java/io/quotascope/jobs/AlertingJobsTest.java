package io.quotascope.jobs;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.wire.Codecs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jobs that raise alerts, from the topics that they read to the topics and tables they fill.
 */
@Tag("minicluster")
class AlertingJobsTest {
    private static final long START_MS = MINUTE_US / 1000;

    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    @RegisterExtension final ClickHouseStandIn clickHouse = new ClickHouseStandIn();

    @TempDir Path folder;

    @BeforeAll
    static void bothTellOnOneTopic() throws Exception {
        KAFKA.create(1, "throttling-alerts.v1");
    }

    private static void tick(String topic, int partitions, long ms) throws Exception {
        for (int partition = 0; partition < partitions; partition++) {
            KAFKA.append(topic, partition, ms, null, null);
        }
    }

    @Test
    void hostsAreSummedUpAndTheirAlertsTold() throws Exception {
        KAFKA.create(2, "cpu-usage-windows.v1", "host-windows.v1");
        for (int window = 0; window < 24; window++) {
            long at = START_MS + window * 10_000L;
            ShardRecord shard = new ShardRecord();
            shard.seq = window;
            shard.windowStartUs = at * 1000;
            shard.quotaUs = OptionalLong.of(100_000);
            shard.throttledPeriods = 100;
            shard.usageUs = 1_000_000;
            KAFKA.append("cpu-usage-windows.v1", 0, at + 12_000, "host-1", shard.framed());
            HostRecord host = new HostRecord().sent("checkout", 1);
            host.seq = window;
            host.windowStartUs = at * 1000;
            host.kernel = "4.18.0";
            host.threads = 2_000;
            KAFKA.append("host-windows.v1", 1, at + 13_000, "host-1", host.framed());
            KAFKA.append("host-windows.v1", 1, at + 13_000, "host-1", host.framed());
        }
        tick("cpu-usage-windows.v1", 2, START_MS + 3_700_000);
        tick("host-windows.v1", 2, START_MS + 3_700_000);
        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("hosts", HostsJob::plug);
            Map<String, Object> hour =
                    Waiting.until(
                                    "the hour of the host",
                                    () -> clickHouse.rows("host_hours"),
                                    rows -> rows.size() == 6)
                            .get(5);
            // The host fell silent in the fourth minute: each mark of ten minutes says it anew.
            assertThat(hour)
                    .containsEntry("expected_host_records", 360L)
                    .containsEntry("host_id", "host-1")
                    .containsEntry("host_records", 24L)
                    .containsEntry("shard_records", 24L)
                    .containsEntry("threads_per_cpu", 1_000.0)
                    .containsEntry("kernel_releases", List.of("4.18.0"));
            List<Map<String, Object>> findings =
                    Waiting.until(
                            "findings of the kernel",
                            () -> clickHouse.rows("kernel_findings"),
                            rows -> rows.size() == 6 * 5);
            assertThat(findings)
                    .filteredOn(row -> row.get("version").equals((1L << 32) + 6))
                    .filteredOn(row -> row.get("rule").equals("slice-expiry"))
                    .singleElement()
                    .satisfies(
                            row ->
                                    assertThat(row)
                                            .containsEntry("verdict", "confirmed")
                                            .containsEntry("shards_stranded", 1L)
                                            .containsEntry("worst_shards", List.of("checkout/0")));
            List<Map<String, Object>> alerts =
                    Waiting.until(
                            "alerts",
                            () -> clickHouse.rows("throttling_alerts"),
                            rows -> rows.size() == 4);
            assertThat(alerts)
                    .extracting(row -> row.get("kind") + " " + row.get("severity"))
                    .containsExactlyInAnyOrder(
                            "kernel_fault warning",
                            "host_threads warning",
                            "silent_host warning",
                            "silent_host critical");
            assertThat(told()).hasSize(4);
        }
    }

    private static List<ThrottlingAlert> told() throws Exception {
        return KAFKA.messages("throttling-alerts.v1").stream()
                .filter(message -> message.value() != null)
                .map(message -> Codecs.THROTTLING_ALERTS.decode(message.value()).orElseThrow())
                .filter(alert -> alert.subject().hostId().isPresent())
                .toList();
    }

    private static CollapseRisk risk(ServiceWindow row) {
        return new CollapseRisk(
                JudgementScope.of(row.sums(), 0, CatalogView.without(1)),
                new CollapseRisk.Load(OptionalDouble.of(0.2), OptionalDouble.of(0.1), 3),
                Optional.empty(),
                Optional.empty(),
                RiskBand.VULNERABLE,
                new CollapseRisk.Outlook(
                        3_600_000_000L, OptionalDouble.empty(), Optional.empty(), 0),
                true,
                List.of("a pulse is enough"));
    }

    @Test
    void servicesAreWatchedForAlertsAndChanges() throws Exception {
        KAFKA.create(1, "collapse-risks.v1", "change-events.v1");
        KAFKA.create(1, "service-load.v1", "concurrency-costs.v1");
        KAFKA.create(2, "service-windows.v1");
        KAFKA.create(1, "service-catalog.v1", "cpu-usage-windows.dlq.v1");
        for (int minute = 0; minute < 10; minute++) {
            long quotaUs = minute < 5 ? 20_000 : 40_000;
            ServiceWindow row = row(minute, 0, 6, r -> r.quotaUs = OptionalLong.of(quotaUs));
            long at = START_MS + minute * 60_000L + 91_000;
            String key = row.sums().key().topicKey();
            KAFKA.append("service-windows.v1", 0, at, key, Codecs.SERVICE_WINDOWS.encode(row));
            if (minute < 4) {
                KAFKA.append(
                        "collapse-risks.v1",
                        0,
                        at + 2_000,
                        key,
                        Codecs.COLLAPSE_RISKS.encode(risk(row)));
            }
        }
        tick("service-windows.v1", 2, START_MS + 800_000);
        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("alerts", AlertsJob::plug);
            List<Map<String, Object>> alerts =
                    Waiting.until(
                            "alerts",
                            () -> clickHouse.rows("throttling_alerts"),
                            rows -> rows.size() == 3);
            assertThat(alerts)
                    .extracting(row -> row.get("kind") + " " + row.get("quota_class"))
                    .containsExactlyInAnyOrder(
                            "vulnerable 200m/100ms",
                            "shard_threads 200m/100ms",
                            "shard_threads 400m/100ms");
            assertThat(alerts)
                    .filteredOn(row -> row.get("kind").equals("vulnerable"))
                    .singleElement()
                    .satisfies(
                            row ->
                                    assertThat(row)
                                            .containsEntry("state", "firing")
                                            .containsEntry("since", MINUTE_US)
                                            .containsEntry("host_id", null)
                                            .containsEntry("shards", 1L));
            ChangeEvent event =
                    Codecs.CHANGE_EVENTS
                            .decode(
                                    Waiting.until(
                                                    "the change",
                                                    () -> KAFKA.messages("change-events.v1"),
                                                    messages -> messages.size() == 1)
                                            .get(0)
                                            .value())
                            .orElseThrow();
            assertThat(clickHouse.rows("change_events"))
                    .as("the topic's reader writes the table")
                    .isEmpty();
            assertThat(event.kind()).isEqualTo(ChangeEvent.Kind.QUOTA);
            assertThat(event.source()).isEqualTo(ChangeEvent.Source.DETECTED);
            assertThat(event.wording().settingBefore()).contains("200m/100ms");
            assertThat(event.atUs()).isEqualTo(MINUTE_US + 5 * 60_000_000L);
        }
    }
}
