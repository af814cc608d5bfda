package io.quotascope.jobs;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.hour.HourPart;
import io.quotascope.domain.hour.HourSummary;
import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.Recommendation.Step;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.ClickHouseStandIn;
import io.quotascope.jobs.fixture.JobRun;
import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.verification.VerificationJob;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.ServiceHours;
import io.quotascope.wire.avro.ServiceHour;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the topics of hours, changes and the ledger to verified changes, scores and a ledger step.
 */
@Tag("minicluster")
class VerificationJobTest {
    private static final int DAYS = 6;
    private static final long CHANGE_US = MINUTE_US + 3 * 24 * HourPart.HOUR_US;
    private static final long END_MS = MINUTE_US / 1000 + (DAYS + 1) * 86_400_000L;

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

    private long ticks;

    @Test
    void verifiesScoresAndStepsTheLedger() throws Exception {
        KAFKA.create(2, "service-hours.v1", "service-load.v1");
        KAFKA.create(1, "change-events.v1", "recommendation-ledger.v1", "cpu-usage-windows.dlq.v1");
        KAFKA.create(1, "service-catalog.v1", "price-book.v1");
        try (JobRun run =
                new JobRun(KAFKA, clickHouse, folder)
                        .with("verification.hours-after-max", "48")
                        .with("verification.hours-back-max", "72")) {
            run.start("verification", VerificationJob::plug);
            // Messages this old are removed from the log within a minute; the job must read by
            // then.
            Waiting.until(
                    "a dead letter",
                    () -> {
                        KAFKA.append("change-events.v1", 0, END_MS, null, new byte[] {7});
                        return KAFKA.messages("cpu-usage-windows.dlq.v1");
                    },
                    letters -> !letters.isEmpty());
            appendAll();
            Waiting.until(
                    "the settled row",
                    () -> {
                        tick();
                        return clickHouse.rows("verifications");
                    },
                    rows -> rows.stream().anyMatch(VerificationJobTest::isSettledAndPriced));
            Map<String, Object> row =
                    clickHouse.rows("verifications").stream()
                            .filter(VerificationJobTest::isSettledAndPriced)
                            .findFirst()
                            .orElseThrow();
            assertThat(row)
                    .containsEntry("service", "checkout")
                    .containsEntry("outcome", "verified")
                    .containsEntry("recommendation_id", "r-1")
                    .containsEntry("predicted_cores", 0.1)
                    .as("nobody had priced the promise, so the book does")
                    .containsEntry("price_book_version", 3L)
                    .containsEntry("version", (1L << 32) + 48);
            assertThat((List<?>) row.get("effects")).hasSize(5);
            Waiting.until(
                    "scores", () -> clickHouse.rows("prediction_scores"), rows -> !rows.isEmpty());
            assertThat(clickHouse.rows("prediction_scores").get(0))
                    .containsEntry("quantity", "reclaimable_cores")
                    .containsEntry("predictions", 1L);
            Waiting.until(
                    "the step",
                    () -> KAFKA.messages("recommendation-ledger.v1"),
                    messages -> messages.size() == 2);
            assertThat(
                            Codecs.RECOMMENDATIONS
                                    .decode(
                                            KAFKA.messages("recommendation-ledger.v1")
                                                    .get(1)
                                                    .value())
                                    .orElseThrow()
                                    .state())
                    .isEqualTo(RecommendationState.VERIFIED);
        }
    }

    /** A row may have left before the price book was read; then it leaves again. */
    private static boolean isSettledAndPriced(Map<String, Object> row) {
        return Boolean.TRUE.equals(row.get("settled")) && "change".equals(row.get("priced_by"));
    }

    private static PriceBook book() {
        PriceBook.Price price =
                new PriceBook.Price(
                        PriceBook.DEFAULT_CLASS, 0, 100, 1, 0, Optional.empty(), Optional.empty());
        return new PriceBook(3, List.of(price), Optional.empty());
    }

    private static void appendAll() throws Exception {
        KAFKA.append("price-book.v1", 0, END_MS, "price-book", Codecs.PRICE_BOOKS.encode(book()));
        KAFKA.append(
                "recommendation-ledger.v1",
                0,
                END_MS,
                null,
                Codecs.RECOMMENDATIONS.encode(applied()));
        KAFKA.append("change-events.v1", 0, END_MS, null, Codecs.CHANGE_EVENTS.encode(change()));
        for (int hour = 0; hour < DAYS * 24; hour++) {
            append(0, "checkout", hour);
            append(1, "search", hour);
        }
    }

    /** The clock goes on, as it does where the hours job runs. */
    private void tick() throws Exception {
        ticks++;
        for (int partition = 0; partition < 2; partition++) {
            KAFKA.append("service-hours.v1", partition, END_MS + 1_000L * ticks, null, null);
        }
    }

    private static void append(int partition, String service, int hour) throws Exception {
        boolean tuned = service.equals("checkout") && hour > 72;
        ServiceWindow minute =
                row(
                        0,
                        0,
                        6,
                        record -> {
                            record.service = service;
                            record.throttledPeriods = tuned ? 2 : 20;
                        });
        ServiceHour message =
                ServiceHours.toAvro(
                        HourSummary.judge(
                                HourSums.of(minute.sums(), 0), 0, CatalogView.without(1)));
        long startUs = MINUTE_US + hour * HourPart.HOUR_US;
        message.setWindowStartUs(startUs);
        KAFKA.append(
                "service-hours.v1",
                partition,
                startUs / 1000 + 3_691_000,
                ServiceHours.topicKey(message),
                ServiceHours.framed(message));
    }

    private static ChangeEvent change() {
        return ChangeEvent.declared(
                Origin.SIMULATED,
                "lab",
                "checkout",
                CHANGE_US,
                ChangeEvent.Kind.POOLS,
                Optional.of("r-1"),
                ChangeEvent.Wording.NONE);
    }

    private static Recommendation applied() throws Exception {
        Advice advice =
                new Advice(
                        Origin.SIMULATED,
                        "lab",
                        "checkout",
                        Optional.empty(),
                        "r-1",
                        List.of("pools"),
                        "pool.size = 2");
        Forecast forecast =
                new Forecast(
                        OptionalDouble.of(0.2),
                        Optional.of(new Predicted(0.1, 0, 0.2)),
                        Optional.empty(),
                        List.of());
        return Recommendation.propose(advice, forecast, MINUTE_US, Optional.of("ann"))
                .accept(
                        List.of(),
                        "ann",
                        new Step(MINUTE_US + 1, Optional.of("ann"), Optional.empty()))
                .apply(new Step(CHANGE_US, Optional.of("ann"), Optional.empty()));
    }
}
