package io.quotascope.jobs.rank;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.clickhouse.TableRow;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.JudgingInput;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Reads service windows, the catalog, savings estimates and judgements of risk from Kafka and
 * writes the ranking of services and their latest state to ClickHouse.
 */
public final class RankJob {

    private RankJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("rank", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        ReadableConfig config = shell.config();
        RankTopology.Offers offers =
                RankTopology.Offers.of(
                        shell.source()
                                .timeless(
                                        "source-savings-estimates",
                                        shell.topic(KafkaOptions.SAVINGS_ESTIMATES)),
                        shell.source()
                                .timeless(
                                        "source-collapse-risks",
                                        shell.topic(KafkaOptions.COLLAPSE_RISKS)));
        JudgingInput input = shell.judgingInput(offers.deadLetters());
        DataStream<RankRows> rows =
                RankTopology.build(
                        input, offers, SharedOptions.revision(config), RankOptions.policy(config));
        shell.tableSink(Table.TUNING_RANKS, rows, each -> TableRow.of(each.rank()));
        shell.tableSink(Table.SERVICE_LATEST, rows, each -> TableRow.of(each.latest()));
    }
}
