package io.quotascope.jobs.intake;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.options.SharedOptions;
import java.util.List;

/**
 * Intake alone: accepted records to ClickHouse, refused ones to the dead letters, no rows of
 * services and no ticks. For filling the 10 s tables again without touching the minutes; in
 * operation {@code io.quotascope.jobs.IngestJob} does this and the rollup in one graph.
 */
public final class IntakeJob {

    private IntakeJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("intake", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        long revision = SharedOptions.revision(shell.config());
        String host = shell.topic(KafkaOptions.HOST_WINDOWS);
        IntakeTopology.Output accepted =
                IntakeTopology.build(
                        new IntakeTopology.Input(
                                shell.source()
                                        .timed(
                                                "source-windows",
                                                List.of(
                                                        shell.topic(KafkaOptions.CPU_USAGE_WINDOWS),
                                                        host)),
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
    }
}
