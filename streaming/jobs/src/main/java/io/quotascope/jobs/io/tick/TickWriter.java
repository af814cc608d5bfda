package io.quotascope.jobs.io.tick;

import io.quotascope.jobs.io.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends a tick to every partition of the timed topics at a fixed cadence, on a thread of its own.
 * Kafka being away is counted and waited out: the next tick does all that the lost one would have
 * done, so there is nothing to repeat and no reason to fail a job.
 */
final class TickWriter implements AutoCloseable {
    /**
     * Header that marks a tick for whoever reads the topic by hand; readers go by the null value.
     */
    static final String HEADER = "quotascope-tick";

    private static final Logger LOG = LoggerFactory.getLogger(TickWriter.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final List<String> topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService thread;
    private final Counter written;
    private final Counter failed;
    private volatile boolean failing;

    TickWriter(
            KafkaConnection connection,
            List<String> topics,
            Duration interval,
            Counter written,
            Counter failed) {
        this.topics = topics;
        this.written = written;
        this.failed = failed;
        this.producer =
                new KafkaProducer<>(
                        properties(connection, interval),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread created = new Thread(task, "quotascope-tick-writer");
                            created.setDaemon(true);
                            return created;
                        });
        thread.scheduleAtFixedRate(this::tick, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Properties properties(KafkaConnection connection, Duration interval) {
        Properties properties = connection.clientProperties();
        properties.setProperty("client.id", "quotascope-tick-writer");
        // A tick that cannot be delivered before the next ones come is worth nothing.
        int patienceMs = (int) Math.max(2_000, interval.toMillis());
        properties.setProperty("max.block.ms", String.valueOf(patienceMs));
        properties.setProperty("request.timeout.ms", String.valueOf(patienceMs));
        properties.setProperty("delivery.timeout.ms", String.valueOf(2 * patienceMs));
        properties.setProperty("linger.ms", "0");
        // Idempotence would turn a lost tick into a producer that must be made anew.
        properties.setProperty("enable.idempotence", "false");
        properties.setProperty("acks", "1");
        // New partitions get their first tick within this time.
        properties.setProperty("metadata.max.age.ms", "10000");
        return properties;
    }

    private void tick() {
        for (String topic : topics) {
            try {
                for (PartitionInfo partition : producer.partitionsFor(topic)) {
                    ProducerRecord<byte[], byte[]> tick =
                            new ProducerRecord<>(topic, partition.partition(), null, null);
                    tick.headers().add(HEADER, new byte[0]);
                    producer.send(tick, (place, failure) -> count(topic, failure));
                }
            } catch (KafkaException e) {
                count(topic, e);
            } catch (IllegalStateException e) {
                // The producer was closed while this ran.
                return;
            }
        }
    }

    private void count(String topic, Exception failure) {
        if (failure == null) {
            written.inc();
            if (failing) {
                failing = false;
                LOG.info("Ticks reach Kafka again, topic {}.", topic);
            }
            return;
        }
        failed.inc();
        if (!failing) {
            failing = true;
            LOG.warn(
                    "Ticks do not reach topic {}; rows of silent partitions wait until they do. {}",
                    topic,
                    failure.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        producer.close(CLOSE_WITHIN);
    }
}
