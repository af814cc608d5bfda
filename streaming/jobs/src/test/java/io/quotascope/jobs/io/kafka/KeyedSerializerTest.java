package io.quotascope.jobs.io.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** What is written carries its event time, for topics that keep it. */
class KeyedSerializerTest {
    private static final KeyedSerializer<String> SERIALIZER =
            new KeyedSerializer<>(
                    "topic",
                    text -> text.substring(0, 1),
                    text -> text.getBytes(StandardCharsets.UTF_8));

    @Test
    void theElementsEventTimeGoesAlong() {
        ProducerRecord<byte[], byte[]> message = SERIALIZER.serialize("key", null, 1_234L);
        assertThat(message.timestamp()).isEqualTo(1_234);
        assertThat(message.topic()).isEqualTo("topic");
        assertThat(message.partition()).isNull();
        assertThat(message.key()).isEqualTo(new byte[] {'k'});
        assertThat(message.value()).isEqualTo("key".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anElementWithoutATimeLeavesItToTheProducer() {
        assertThat(SERIALIZER.serialize("key", null, null).timestamp()).isNull();
    }
}
