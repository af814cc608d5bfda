package io.quotascope.jobs.risk;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.avro.CollapseRisk;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Reads service windows and the catalog from Kafka and writes each minute how near collapse a
 * service is, to ClickHouse and to the topic that alerts are made from.
 */
public final class RiskJob {

    private RiskJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("risk", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        DataStream<CollapseRisk> rows =
                RiskTopology.build(
                        AnalysisInput.of(shell.judgingInput()).withCosts(shell.concurrencyCosts()),
                        RiskOptions.plan(shell.config()));
        shell.tableSink(Table.COLLAPSE_RISKS, rows);
        String topic = shell.topic(KafkaOptions.COLLAPSE_RISKS);
        rows.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                CollapseRisks::topicKey,
                                CollapseRisks::framed))
                .uid("sink-collapse-risks-topic")
                .name("topic " + topic);
    }
}
