package io.quotascope.jobs.threads;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.options.SharedOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Reads service windows and the catalog from Kafka and writes threads per reserved core to ClickHouse. */
public final class ThreadsJob {

    private ThreadsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("threads", args);
        ReadableConfig config = shell.config();
        shell.tableSink(Table.THREAD_RATIOS, ThreadsTopology.build(shell.judgingInput(), SharedOptions.revision(config)));
        shell.submit();
    }
}
