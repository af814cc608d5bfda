package io.quotascope.jobs.whatif;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.parts.AnalysisInput;

/**
 * Reads service windows and the catalog from Kafka and writes what other settings and loads would
 * give to ClickHouse.
 */
public final class WhatIfJob {

    private WhatIfJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("whatif", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        shell.tableSink(
                Table.WHAT_IF_OUTCOMES,
                WhatIfTopology.build(
                        AnalysisInput.of(shell.judgingInput()).withCosts(shell.concurrencyCosts()),
                        WhatIfOptions.plan(shell.config())));
    }
}
