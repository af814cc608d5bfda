package io.quotascope.jobs.throttling;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.options.SharedOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Reads service windows and the catalog from Kafka and writes summaries of throttling to
 * ClickHouse.
 */
public final class ThrottlingJob {

    private ThrottlingJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("throttling", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        ReadableConfig config = shell.config();
        shell.tableSink(
                Table.THROTTLING_SUMMARIES,
                ThrottlingTopology.build(shell.judgingInput(), SharedOptions.revision(config)));
    }
}
