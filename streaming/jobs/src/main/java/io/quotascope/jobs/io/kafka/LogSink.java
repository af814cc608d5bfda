package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.log.DeadLetter;
import java.io.Serializable;
import java.util.Properties;
import java.util.function.Function;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;

/**
 * Writes to topics at least once: a repeat after a failure has the same key and the same bytes, and
 * every reader of ours knows repeats.
 */
public final class LogSink {

    /** A function that Flink may send to the task managers. */
    public interface Part<T, R> extends Function<T, R>, Serializable {}

    private LogSink() {}

    /** Elements as keyed messages. */
    public static <T> KafkaSink<T> keyed(
            ReadableConfig config, String topic, Part<T, String> key, Part<T, byte[]> value) {
        return sink(config, new KeyedSerializer<>(topic, key, value));
    }

    /** Refused messages with the headers of {@code schemas/README.md}. */
    public static KafkaSink<DeadLetter> deadLetters(ReadableConfig config) {
        return sink(
                config,
                new DeadLetterSerializer(
                        config.get(KafkaOptions.DEAD_LETTERS), JobVersion.current()));
    }

    private static <T> KafkaSink<T> sink(
            ReadableConfig config, KafkaRecordSerializationSchema<T> serializer) {
        KafkaConnection connection = KafkaOptions.connection(config);
        Properties properties = connection.clientProperties();
        properties.setProperty("acks", "all");
        properties.setProperty("compression.type", "zstd");
        // A dead letter is a whole input message and its headers; the broker allows 2 MiB on that
        // topic.
        properties.setProperty("max.request.size", "2097152");
        return KafkaSink.<T>builder()
                .setBootstrapServers(connection.bootstrap())
                .setKafkaProducerConfig(properties)
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(serializer)
                .build();
    }
}
