package io.quotascope.jobs.io.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Key as UTF-8 text, value as framed bytes, partition by Kafka's own hash of the key. The element's
 * event time goes along: a topic that stamps what arrives replaces it, and one that takes its
 * timestamps from producers keeps it, so that days of a simulated fleet have their own times.
 */
final class KeyedSerializer<T> implements KafkaRecordSerializationSchema<T> {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final LogSink.Part<T, String> key;
    private final LogSink.Part<T, byte[]> value;

    KeyedSerializer(String topic, LogSink.Part<T, String> key, LogSink.Part<T, byte[]> value) {
        this.topic = topic;
        this.key = key;
        this.value = value;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            T element, KafkaSinkContext context, Long timestamp) {
        return new ProducerRecord<>(
                topic,
                null,
                timestamp,
                key.apply(element).getBytes(StandardCharsets.UTF_8),
                value.apply(element));
    }
}
