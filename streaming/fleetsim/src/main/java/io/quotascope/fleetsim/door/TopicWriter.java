package io.quotascope.fleetsim.door;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes messages at instants of the simulated time, which count only on topics whose timestamps
 * are those of their producers. Nothing is dropped unseen: the first failure ends the writing.
 */
final class TopicWriter implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long written;

    /** A tick's value. */
    private static final byte[] NOTHING = null;

    TopicWriter(KafkaPlace place) throws InvalidInputException {
        Properties properties = place.properties();
        properties.setProperty("acks", "all");
        properties.setProperty("compression.type", "zstd");
        properties.setProperty("linger.ms", "50");
        properties.setProperty("batch.size", "262144");
        properties.setProperty("buffer.memory", "134217728");
        properties.setProperty("max.request.size", "1048576");
        properties.setProperty("max.block.ms", "60000");
        producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A keyed message; its partition follows from the key as with every writer of ours. */
    void write(String topic, String key, byte[] value, long atMs) {
        write(topic, key.getBytes(StandardCharsets.UTF_8), value, atMs);
    }

    /** The same with the bytes of the key. */
    void write(String topic, byte[] key, byte[] value, long atMs) {
        send(new ProducerRecord<>(topic, null, atMs, key, value));
    }

    /** A message on topics that stamp what arrives. */
    void write(String topic, byte[] key, byte[] value) {
        send(new ProducerRecord<>(topic, key, value));
    }

    /** A message without a value on every partition: it moves their clocks, as in operation. */
    void tick(String topic, long atMs) {
        for (PartitionInfo partition : producer.partitionsFor(topic)) {
            send(new ProducerRecord<>(topic, partition.partition(), atMs, null, NOTHING));
        }
    }

    private void send(ProducerRecord<byte[], byte[]> message) {
        Exception failed = failure.get();
        if (failed != null) {
            throw new KafkaException("after " + written + " messages", failed);
        }
        producer.send(
                message,
                (place, problem) -> {
                    if (problem != null) {
                        failure.compareAndSet(null, problem);
                    }
                });
        written++;
    }

    /** Messages handed over so far, ticks included. */
    long written() {
        return written;
    }

    /** Waits until the broker has everything. */
    @Override
    public void close() {
        producer.flush();
        producer.close();
        Exception failed = failure.get();
        if (failed != null) {
            throw new KafkaException("after " + written + " messages", failed);
        }
    }
}
