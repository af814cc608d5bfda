package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.options.InvalidOptionException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * Looks, when a job is submitted, whether every parallel reader will have a partition. One without
 * would never state a time, and the clock of the whole job would stand still without an error.
 */
final class ReaderCount {

    private ReaderCount() {}

    /**
     * A single reader always has a partition, so that case does not ask Kafka.
     *
     * @throws InvalidOptionException if there are more readers than partitions of the largest
     *     topic, or Kafka cannot say
     */
    static int checked(KafkaConnection connection, List<String> topics, int readers) {
        if (readers == 1) {
            return readers;
        }
        int most = 0;
        try (Admin admin = Admin.create(connection.clientProperties())) {
            Map<String, TopicDescription> found =
                    admin.describeTopics(topics).allTopicNames().get();
            for (TopicDescription topic : found.values()) {
                most = Math.max(most, topic.partitions().size());
            }
        } catch (ExecutionException e) {
            throw new InvalidOptionException(
                    "cannot count the partitions of "
                            + String.join(", ", topics)
                            + ": "
                            + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvalidOptionException(
                    "interrupted while counting the partitions of " + String.join(", ", topics));
        }
        if (readers > most) {
            throw new InvalidOptionException(
                    "option "
                            + KafkaOptions.SOURCE_PARALLELISM.key()
                            + " is "
                            + readers
                            + ", but "
                            + String.join(", ", topics)
                            + " have at most "
                            + most
                            + " partitions each; a reader without one would hold back the clock");
        }
        return readers;
    }
}
