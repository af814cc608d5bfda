package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.alerts.AlertSinks;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.wire.Codecs;
import java.util.List;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Reads hours of services, their requests where somebody counts them, change events, the
 * recommendation ledger, the catalog and the price book from Kafka, writes what changes really did
 * and how good our predictions were to ClickHouse, the steps that follow to the ledger, and alerts
 * about changes that took back what had been saved.
 */
public final class VerificationJob {

    private VerificationJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("verification", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        ReadableConfig config = shell.config();
        String ledger = shell.topic(KafkaOptions.RECOMMENDATION_LEDGER);
        VerificationTopology.Output output =
                VerificationTopology.build(
                        new VerificationTopology.Input(
                                shell.source()
                                        .timed(
                                                "source-service-hours",
                                                List.of(shell.topic(KafkaOptions.SERVICE_HOURS))),
                                shell.source()
                                        .timeless(
                                                "source-change-events",
                                                shell.topic(KafkaOptions.CHANGE_EVENTS)),
                                shell.source().timeless("source-recommendations", ledger),
                                shell.source()
                                        .timeless(
                                                "source-service-load",
                                                shell.topic(KafkaOptions.SERVICE_LOAD)),
                                AnalysisInput.entries(shell.catalog())
                                        .union(AnalysisInput.prices(shell.priceBooks()))),
                        SharedOptions.revision(config),
                        VerificationOptions.policy(config),
                        AlertOptions.rules(config),
                        config.get(VerificationOptions.UNAFFECTED_MAX));
        shell.tableSink(Table.VERIFICATIONS, output.verifications());
        shell.tableSink(Table.PREDICTION_SCORES, output.scores());
        AlertSinks.write(shell, output.alerts());
        shell.deadLetterSink(output.deadLetters());
        output.steps()
                .sinkTo(
                        LogSink.keyed(
                                config,
                                ledger,
                                Recommendation::key,
                                entry -> Codecs.RECOMMENDATIONS.encode(entry)))
                .uid("sink-recommendation-ledger")
                .name("topic " + ledger);
    }
}
