package io.quotascope.jobs.io.alerts;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.clickhouse.TableRow;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.ThrottlingAlerts;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Where alerts go: to whoever pages people, over a topic, and to a table. */
public final class AlertSinks {
    private AlertSinks() {}

    /** Writes alerts to their topic and their table. */
    public static void write(JobShell shell, DataStream<ThrottlingAlert> alerts) {
        String topic = shell.topic(KafkaOptions.THROTTLING_ALERTS);
        alerts.sinkTo(
                        LogSink.keyed(
                                shell.config(),
                                topic,
                                alert -> alert.alertId(),
                                alert -> Codecs.THROTTLING_ALERTS.encode(alert)))
                .uid("sink-throttling-alerts-topic")
                .name("topic " + topic);
        shell.tableSink(
                Table.THROTTLING_ALERTS,
                alerts,
                alert -> TableRow.of(ThrottlingAlerts.toAvro(alert)));
    }
}
