package io.quotascope.jobs;

import io.quotascope.jobs.hosts.HostsOptions;
import io.quotascope.jobs.hosts.HostsTopology;
import io.quotascope.jobs.intake.IntakeTopology;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.alerts.AlertSinks;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.options.SharedOptions;
import java.util.List;

/**
 * Intake and the judgements of hosts as one graph, because both need each record once. It reads the
 * collectors' topics for itself, beside the ingest job, so that either can be stopped, changed and
 * replayed alone; what is refused is told by the ingest job only.
 */
public final class HostsJob {

    private HostsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("hosts", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the two topologies. */
    public static void plug(JobShell shell) {
        String cpu = shell.topic(KafkaOptions.CPU_USAGE_WINDOWS);
        String host = shell.topic(KafkaOptions.HOST_WINDOWS);
        IntakeTopology.Windows accepted =
                IntakeTopology.windows(
                        shell.source().timed("source-windows", List.of(cpu, host)), host);
        HostsTopology.Output judged =
                HostsTopology.build(
                        accepted.shards(),
                        accepted.hosts(),
                        new HostsTopology.Policy(
                                AlertOptions.rules(shell.config()),
                                HostsOptions.saturated(shell.config()),
                                shell.config().get(AlertOptions.FORGET_HOST).toMillis(),
                                SharedOptions.revision(shell.config())));
        shell.tableSink(Table.HOST_HOURS, judged.hours());
        shell.tableSink(Table.KERNEL_FINDINGS, judged.findings());
        AlertSinks.write(shell, judged.alerts());
    }
}
