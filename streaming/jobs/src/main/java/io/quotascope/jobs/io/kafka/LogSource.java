package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.options.Required;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Reads topics from their beginning or from the last checkpoint. A message's timestamp is its
 * LogAppendTime; what the watermark does with it depends on the kind of topic, and no clock of a
 * machine takes part.
 */
public final class LogSource {

    private final StreamExecutionEnvironment env;
    private final ReadableConfig config;
    private final String job;

    public LogSource(StreamExecutionEnvironment env, ReadableConfig config, String job) {
        this.env = env;
        this.config = config;
        this.job = job;
    }

    /**
     * Topics whose append times are the clock: per partition the greatest append time less 1 ms,
     * over partitions the least. There is no idleness: a silent partition must hold the clock back,
     * because a message may be on its way into it; ticks move it.
     */
    public SingleOutputStreamOperator<LogRecord> timed(String uid, List<String> topics) {
        return read(uid, topics, WatermarkStrategy.forMonotonousTimestamps(), readers(topics));
    }

    /**
     * A topic without ticks whose messages carry no time that a row depends on; its watermark stays
     * at the beginning, so nothing downstream may wait for it.
     */
    public SingleOutputStreamOperator<LogRecord> untimed(String uid, String topic) {
        return read(uid, List.of(topic), WatermarkStrategy.noWatermarks(), readers(List.of(topic)));
    }

    /**
     * A topic that is joined by what was last said, whenever it was said: its watermark is the end
     * of time from the start, so that the other input alone decides.
     */
    public SingleOutputStreamOperator<LogRecord> timeless(String uid, String topic) {
        return read(
                uid,
                List.of(topic),
                WatermarkStrategy.forGenerator(context -> new EndOfTime<>()),
                1);
    }

    private int readers(List<String> topics) {
        int readers = Required.atLeast(config, KafkaOptions.SOURCE_PARALLELISM, 1);
        return ReaderCount.checked(KafkaOptions.connection(config), topics, readers);
    }

    private SingleOutputStreamOperator<LogRecord> read(
            String uid, List<String> topics, WatermarkStrategy<LogRecord> watermarks, int readers) {
        KafkaConnection connection = KafkaOptions.connection(config);
        Properties properties = connection.clientProperties();
        properties.setProperty(
                "partition.discovery.interval.ms",
                String.valueOf(config.get(KafkaOptions.PARTITION_DISCOVERY).toMillis()));
        KafkaSource<LogRecord> source =
                KafkaSource.<LogRecord>builder()
                        .setBootstrapServers(connection.bootstrap())
                        .setProperties(properties)
                        .setGroupId(config.get(KafkaOptions.GROUP_PREFIX) + "-" + job)
                        .setClientIdPrefix(job + "-" + uid)
                        .setTopics(topics)
                        .setStartingOffsets(OffsetsInitializer.earliest())
                        .setDeserializer(new LogRecordDeserializer())
                        .build();
        return env.fromSource(source, watermarks, uid).uid(uid).setParallelism(readers);
    }
}
