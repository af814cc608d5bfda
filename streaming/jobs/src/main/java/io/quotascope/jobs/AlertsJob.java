package io.quotascope.jobs;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.jobs.alerts.AlertsTopology;
import io.quotascope.jobs.changes.ChangesOptions;
import io.quotascope.jobs.changes.ChangesTopology;
import io.quotascope.jobs.costs.CostTopology;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.alerts.AlertSinks;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.wire.Codecs;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * What shows in each minute of services: alerts, changes, and what concurrency costs. The three
 * packages do not know each other; they are one job because all only watch the same topic and cost
 * little.
 */
public final class AlertsJob {

    private AlertsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("alerts", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topologies. */
    public static void plug(JobShell shell) {
        JudgingInput input = shell.judgingInput();
        AlertsTopology.Output judged =
                AlertsTopology.build(
                        input,
                        shell.source()
                                .timeless(
                                        "source-collapse-risks",
                                        shell.topic(KafkaOptions.COLLAPSE_RISKS)),
                        AlertOptions.rules(shell.config()),
                        shell.config().get(AlertOptions.FORGET_SERVICE).toMillis(),
                        SharedOptions.revision(shell.config()));
        AlertSinks.write(shell, judged.alerts());
        judged.deadLetters()
                .sinkTo(LogSink.deadLetters(shell.config()))
                .uid("sink-dead-letters-of-cliffs")
                .name("dead letters of cliffs");
        writeCosts(shell, input);
        writeChanges(
                shell, ChangesTopology.build(input.rows(), ChangesOptions.policy(shell.config())));
    }

    private static void writeCosts(JobShell shell, JudgingInput input) {
        CostTopology.Output measured =
                CostTopology.build(
                        input.rows(),
                        shell.source()
                                .timeless(
                                        "source-service-load",
                                        shell.topic(KafkaOptions.SERVICE_LOAD)));
        String topic = shell.topic(KafkaOptions.CONCURRENCY_COSTS);
        measured.costs()
                .sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                cost -> cost.topicKey(),
                                cost -> Codecs.CONCURRENCY_COSTS.encode(cost)))
                .uid("sink-concurrency-costs")
                .name("topic " + topic);
        measured.deadLetters()
                .sinkTo(LogSink.deadLetters(shell.config()))
                .uid("sink-dead-letters-of-load")
                .name("dead letters of load");
    }

    /**
     * To their topic only: whoever reads it, the inputs job first, has those that people tell too.
     */
    private static void writeChanges(JobShell shell, DataStream<ChangeEvent> changes) {
        String topic = shell.topic(KafkaOptions.CHANGE_EVENTS);
        changes.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                change -> change.topicKey(),
                                change -> Codecs.CHANGE_EVENTS.encode(change)))
                .uid("sink-change-events-topic")
                .name("topic " + topic);
    }
}
