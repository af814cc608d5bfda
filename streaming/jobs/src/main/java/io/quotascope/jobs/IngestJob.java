package io.quotascope.jobs;

import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.intake.IntakeRows;
import io.quotascope.jobs.intake.IntakeTopology;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.clickhouse.TableRow;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.rollup.RollupTopology;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.ServiceWindows;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Intake and rollup as one graph, so that a record is read, decoded and freed of repetitions once.
 * The two packages do not know each other; they meet here.
 */
public final class IngestJob {

    private IngestJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("ingest", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the two topologies. */
    public static void plug(JobShell shell) {
        long revision = SharedOptions.revision(shell.config());
        String cpu = shell.topic(KafkaOptions.CPU_USAGE_WINDOWS);
        String host = shell.topic(KafkaOptions.HOST_WINDOWS);
        String service = shell.topic(KafkaOptions.SERVICE_WINDOWS);
        IntakeTopology.Output accepted =
                IntakeTopology.build(
                        new IntakeTopology.Input(
                                shell.source().timed("source-windows", List.of(cpu, host)),
                                shell.source()
                                        .untimed(
                                                "source-shard-identities",
                                                shell.topic(KafkaOptions.SHARD_IDENTITIES))),
                        host);
        shell.tableSink(
                Table.SHARD_WINDOWS, accepted.shards(), each -> IntakeRows.ofShard(each, revision));
        shell.tableSink(
                Table.HOST_WINDOWS, accepted.hosts(), each -> IntakeRows.ofHost(each, revision));
        shell.tableSink(Table.SHARD_IDENTITIES, accepted.identities(), IntakeRows::ofIdentity);
        shell.deadLetterSink(accepted.deadLetters());

        DataStream<ServiceWindow> rows =
                RollupTopology.build(accepted.shards(), accepted.hosts(), revision);
        rows.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                service,
                                row -> row.sums().key().topicKey(),
                                row -> Codecs.SERVICE_WINDOWS.encode(row)))
                .uid("sink-service-windows-topic")
                .name("topic " + service);
        shell.tableSink(
                Table.SERVICE_WINDOWS, rows, row -> TableRow.of(ServiceWindows.toAvro(row)));
        // The topics' clock must run exactly when rows are made.
        shell.writeTicks(List.of(cpu, host, service));
    }
}
