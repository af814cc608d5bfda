package io.quotascope.inputs.topic;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.wire.Decoded;
import io.quotascope.wire.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One topic of ours, read to its present end and written to.
 *
 * @param <T> what the topic holds
 */
public final class TopicLog<T> {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final String PATIENCE_MS = "15000";

    private final KafkaPlace place;
    private final String topic;
    private final RecordCodec<T> codec;
    private final Function<T, String> key;

    public TopicLog(KafkaPlace place, String topic, RecordCodec<T> codec, Function<T, String> key) {
        this.place = place;
        this.topic = topic;
        this.codec = codec;
        this.key = key;
    }

    /**
     * Everything that lies in the topic now, in the order of the log; what cannot be read is left
     * out, since a record that another program spoilt must not stop this one.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException if Kafka or the topic is not there
     *     within 15 s
     */
    public List<T> read() throws InvalidInputException {
        Properties properties = place.properties();
        properties.setProperty("default.api.timeout.ms", PATIENCE_MS);
        properties.setProperty("allow.auto.create.topics", "false");
        List<T> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic)
                    .forEach(each -> partitions.add(new TopicPartition(topic, each.partition())));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    if (message.value() != null
                            && codec.decode(message.value()) instanceof Decoded.Sound<T> sound) {
                        found.add(sound.value());
                    }
                }
            }
        }
        return found;
    }

    /** Writes records and returns when the broker has them. */
    public void write(List<T> records)
            throws InvalidInputException, InterruptedException, ExecutionException {
        if (records.isEmpty()) {
            return;
        }
        Properties properties = place.properties();
        properties.setProperty("acks", "all");
        properties.setProperty("max.block.ms", PATIENCE_MS);
        properties.setProperty("request.timeout.ms", PATIENCE_MS);
        properties.setProperty("delivery.timeout.ms", "20000");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (T each : records) {
                byte[] keyBytes = key.apply(each).getBytes(StandardCharsets.UTF_8);
                sent.add(producer.send(new ProducerRecord<>(topic, keyBytes, codec.encode(each))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }
}
