package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.LogRecord;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The raw bytes of what was refused, with the headers of {@code schemas/README.md}; the key is its
 * place in the log, so that repeats collapse.
 */
final class DeadLetterSerializer implements KafkaRecordSerializationSchema<DeadLetter> {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final String jobVersion;

    DeadLetterSerializer(String topic, String jobVersion) {
        this.topic = topic;
        this.jobVersion = jobVersion;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            DeadLetter letter, KafkaSinkContext context, Long timestamp) {
        LogRecord source = letter.source();
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, text(source.place()), source.value());
        header(message, "reason", letter.refusal().code());
        header(message, "detail", letter.refusal().detail());
        header(message, "topic", source.topic());
        header(message, "partition", String.valueOf(source.partition()));
        header(message, "offset", String.valueOf(source.offset()));
        header(message, "append_time_ms", String.valueOf(source.appendTimeMs()));
        header(message, "job_version", jobVersion);
        return message;
    }

    private static void header(ProducerRecord<byte[], byte[]> message, String name, String value) {
        message.headers().add(name, text(value));
    }

    private static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
