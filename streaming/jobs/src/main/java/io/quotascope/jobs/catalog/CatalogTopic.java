package io.quotascope.jobs.catalog;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.jobs.io.kafka.KafkaConnection;
import io.quotascope.wire.Codecs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The compacted topic of catalog entries, read to its present end and written to. */
final class CatalogTopic {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final String PATIENCE_MS = "15000";

    private final KafkaConnection connection;
    private final String topic;

    CatalogTopic(KafkaConnection connection, String topic) {
        this.connection = connection;
        this.topic = topic;
    }

    /**
     * The newest entry of each key, withdrawn ones included, because a service that comes back must
     * go on counting its versions.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException if Kafka or the topic is not there
     *     within 15 s
     */
    Map<String, ServiceCatalogEntry> read() {
        Properties properties = connection.clientProperties();
        properties.setProperty("default.api.timeout.ms", PATIENCE_MS);
        properties.setProperty("allow.auto.create.topics", "false");
        Map<String, ServiceCatalogEntry> entries = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic)
                    .forEach(
                            partition ->
                                    partitions.add(
                                            new TopicPartition(topic, partition.partition())));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    put(entries, message);
                }
            }
        }
        return entries;
    }

    private static void put(
            Map<String, ServiceCatalogEntry> entries, ConsumerRecord<byte[], byte[]> message) {
        if (message.value() != null) {
            ServiceCatalogEntry entry =
                    Codecs.CATALOG_ENTRIES.decode(message.value()).orElseThrow();
            entries.put(entry.topicKey(), entry);
        }
    }

    /** Writes entries and returns when the broker has them. */
    void write(List<ServiceCatalogEntry> changes) throws InterruptedException, ExecutionException {
        Properties properties = connection.clientProperties();
        properties.setProperty("acks", "all");
        properties.setProperty("max.block.ms", PATIENCE_MS);
        properties.setProperty("request.timeout.ms", PATIENCE_MS);
        properties.setProperty("delivery.timeout.ms", "20000");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            for (ServiceCatalogEntry change : changes) {
                byte[] key = change.topicKey().getBytes(StandardCharsets.UTF_8);
                sent.add(
                        producer.send(
                                new ProducerRecord<>(
                                        topic, key, Codecs.CATALOG_ENTRIES.encode(change))));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }
}
