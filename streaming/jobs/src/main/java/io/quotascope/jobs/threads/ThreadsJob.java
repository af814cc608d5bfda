package io.quotascope.jobs.threads;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.options.SharedOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Reads service windows and the catalog from Kafka and writes threads per reserved core to
 * ClickHouse.
 */
public final class ThreadsJob {

    private ThreadsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("threads", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        ReadableConfig config = shell.config();
        shell.tableSink(
                Table.THREAD_RATIOS,
                ThreadsTopology.build(shell.judgingInput(), SharedOptions.revision(config)));
    }
}
