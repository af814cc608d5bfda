package io.quotascope.jobs.hours;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.wire.ServiceHours;
import io.quotascope.wire.avro.ServiceHour;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Reads service windows and the catalog from Kafka and writes hours of services to ClickHouse and
 * to a topic, which whoever looks back over days reads.
 */
public final class HoursJob {

    private HoursJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("hours", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the topology. */
    public static void plug(JobShell shell) {
        DataStream<ServiceHour> hours =
                HoursTopology.build(shell.judgingInput(), SharedOptions.revision(shell.config()));
        String topic = shell.topic(KafkaOptions.SERVICE_HOURS);
        hours.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                ServiceHours::topicKey,
                                ServiceHours::framed))
                .uid("sink-service-hours-topic")
                .name("topic " + topic);
        shell.tableSink(Table.SERVICE_HOURS, hours);
        // The topic's clock must run exactly when its rows are made.
        shell.writeTicks(List.of(topic));
    }
}
