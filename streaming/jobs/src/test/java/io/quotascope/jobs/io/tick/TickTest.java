package io.quotascope.jobs.io.tick;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("minicluster")
class TickTest {
    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    private static Set<Integer> ticked(String topic) {
        return KAFKA.messages(topic).stream()
                .map(ConsumerRecord::partition)
                .collect(Collectors.toSet());
    }

    @Test
    void everyPartitionGetsTicksAlsoOneThatIsAddedLater() throws Exception {
        KAFKA.create(2, "ticked");
        Counter written = new SimpleCounter();
        Counter failed = new SimpleCounter();
        KafkaConnection connection = KafkaConnection.to(KAFKA.bootstrap(), Optional.empty());
        try (TickWriter writer =
                new TickWriter(
                        connection, List.of("ticked"), Duration.ofMillis(200), written, failed)) {
            Waiting.until(
                    "ticks on both partitions",
                    () -> ticked("ticked"),
                    partitions -> partitions.equals(Set.of(0, 1)));
            KAFKA.grow("ticked", 3);
            Waiting.until(
                    "ticks on the third",
                    () -> ticked("ticked"),
                    partitions -> partitions.contains(2));
        }
        assertThat(KAFKA.messages("ticked"))
                .allSatisfy(
                        tick -> {
                            assertThat(tick.value()).isNull();
                            assertThat(tick.headers().lastHeader("quotascope-tick")).isNotNull();
                        });
        assertThat(written.getCount()).isPositive();
        assertThat(failed.getCount()).isZero();
    }

    @Test
    void aKafkaThatIsAwayIsCountedAndNothingFails() throws Exception {
        Counter written = new SimpleCounter();
        Counter failed = new SimpleCounter();
        // Port 1 of this machine: nobody listens there.
        KafkaConnection nowhere = KafkaConnection.to("127.0.0.1:1", Optional.empty());
        try (TickWriter writer =
                new TickWriter(
                        nowhere, List.of("ticked"), Duration.ofMillis(100), written, failed)) {
            Waiting.until("two ticks that failed", failed::getCount, count -> count >= 2);
        }
        assertThat(written.getCount()).isZero();
    }

    @Test
    void anIntervalOfNothingWritesNone() {
        JobShell silent =
                JobShell.of("x", "--kafka.bootstrap", "127.0.0.1:1", "--tick.interval", "0 s");
        silent.writeTicks(List.of("ticked"));
        assertThat(silent.env().getTransformations()).isEmpty();
        JobShell ticking = JobShell.of("x", "--kafka.bootstrap", "127.0.0.1:1");
        ticking.writeTicks(List.of("ticked"));
        assertThat(ticking.env().getTransformations()).isNotEmpty();
    }
}
