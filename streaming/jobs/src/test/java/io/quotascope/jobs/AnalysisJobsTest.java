package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.risk.RiskJob;
import io.quotascope.jobs.savings.SavingsJob;
import io.quotascope.jobs.whatif.WhatIfJob;
import io.quotascope.wire.Codecs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The three jobs of analyses at once: from the topic of service windows and a price book to their
 * tables and topics.
 */
@Tag("minicluster")
class AnalysisJobsTest {
    /** The default cadence has one turn in ten minutes. */
    private static final int MINUTES = 10;

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
    void everyMinuteHasARiskAndEveryTurnHasItsAnswers() throws Exception {
        KAFKA.create(3, "service-windows.v1");
        KAFKA.create(
                1,
                "service-catalog.v1",
                "price-book.v1",
                "concurrency-costs.v1",
                "collapse-risks.v1",
                "savings-estimates.v1",
                "cpu-usage-windows.dlq.v1");
        PriceBook book =
                new PriceBook(
                        3,
                        List.of(
                                new PriceBook.Price(
                                        PriceBook.DEFAULT_CLASS,
                                        0,
                                        100,
                                        1,
                                        0,
                                        Optional.empty(),
                                        Optional.empty())),
                        Optional.empty());
        KAFKA.append("price-book.v1", 0, 1, "price-book", Codecs.PRICE_BOOKS.encode(book));
        try (JobRun run = new JobRun(KAFKA, clickHouse, folder)) {
            run.start("risk", RiskJob::plug);
            run.start("whatif", WhatIfJob::plug);
            run.start("savings", SavingsJob::plug);
            for (int minute = 0; minute < MINUTES; minute++) {
                append(SimulatedRows.row("checkout", minute, 0, 1, 9));
            }
            List<Map<String, Object>> risks =
                    Waiting.until(
                            "a risk for each minute",
                            () -> clickHouse.rows("collapse_risks"),
                            rows -> rows.size() == MINUTES);
            assertThat(risks).extracting(row -> row.get("analysis_trigger")).contains("cadence");
            assertThat(risks).anyMatch(row -> row.get("collapse_load_multiple") != null);
            List<Map<String, Object>> outcomes =
                    Waiting.until(
                            "the outcomes of a turn",
                            () -> clickHouse.rows("what_if_outcomes"),
                            rows -> rows.size() >= 12);
            assertThat(outcomes)
                    .filteredOn(row -> row.get("scenario").equals("as it is"))
                    .isNotEmpty()
                    .allMatch(
                            row ->
                                    row.get("throttled_period_ratio")
                                            .equals(row.get("baseline_throttled_period_ratio")));
            List<Map<String, Object>> savings =
                    Waiting.until(
                            "the estimates of a turn",
                            () -> clickHouse.rows("savings_estimates"),
                            rows -> rows.size() >= 8);
            assertThat(savings)
                    .filteredOn(row -> row.get("best").equals(true))
                    .isNotEmpty()
                    .allMatch(row -> row.get("recommended_change") != null)
                    .allMatch(row -> row.get("target_reached") != null);
            Waiting.until(
                    "both topics",
                    () ->
                            KAFKA.messages("collapse-risks.v1").size()
                                    + KAFKA.messages("savings-estimates.v1").size(),
                    count -> count == risks.size() + clickHouse.rows("savings_estimates").size());
        }
    }

    private static void append(ServiceWindow row) throws Exception {
        KAFKA.append(
                "service-windows.v1",
                1,
                SimulatedRows.closesMs(row) + 1_000,
                row.sums().key().topicKey(),
                Codecs.SERVICE_WINDOWS.encode(row));
    }
}
