package io.quotascope.jobs.savings;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.jobs.io.parts.CadenceOptions;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.avro.SavingsEstimate;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Reads service windows, the catalog and the price book from Kafka and writes what tuning would
 * free of reservations to ClickHouse and to the topic that the ranking reads.
 */
public final class SavingsJob {

    private SavingsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("savings", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        DataStream<SavingsEstimate> rows =
                SavingsTopology.build(
                        AnalysisInput.of(shell.judgingInput())
                                .with(shell.priceBooks())
                                .withCosts(shell.concurrencyCosts()),
                        SavingsOptions.plan(shell.config()));
        shell.tableSink(Table.SAVINGS_ESTIMATES, rows);
        shell.tableSink(
                Table.FLEET_TOTALS,
                SavingsTopology.totals(
                        rows,
                        SharedOptions.revision(shell.config()),
                        CadenceOptions.turnUs(shell.config())));
        String topic = shell.topic(KafkaOptions.SAVINGS_ESTIMATES);
        rows.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                SavingsEstimates::topicKey,
                                SavingsEstimates::framed))
                .uid("sink-savings-estimates-topic")
                .name("topic " + topic);
    }
}
