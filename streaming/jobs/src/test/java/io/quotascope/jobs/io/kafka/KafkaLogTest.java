package io.quotascope.jobs.io.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.jobs.fixture.KafkaBroker;
import io.quotascope.jobs.fixture.Waiting;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.log.LogRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Append time is the clock: a silent partition holds it back, a tick moves it, and a timeless topic
 * holds nothing back.
 */
@Tag("minicluster")
class KafkaLogTest {
    /**
     * What the probe saw, by its event: static because the probe is sent to the mini cluster, which
     * is in this JVM.
     */
    private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @RegisterExtension static final KafkaBroker KAFKA = new KafkaBroker();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    /** Sets a timer at 1000 for the first message that it sees and says what comes. */
    private static final class Probe extends KeyedProcessFunction<String, LogRecord, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(LogRecord message, Context context, Collector<String> out) {
            SEEN.add(
                    (message.isTick() ? "tick " : "message ")
                            + message.partition()
                            + " at "
                            + context.timestamp());
            context.timerService().registerEventTimeTimer(1_000);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<String> out) {
            SEEN.add("timer at watermark " + context.timerService().currentWatermark());
        }
    }

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    private static JobShell shell() {
        return JobShell.of(
                "probe", "--kafka.bootstrap", KAFKA.bootstrap(), "--kafka.group-prefix", "test");
    }

    private static JobClient start(JobShell shell, DataStream<LogRecord> messages)
            throws Exception {
        messages.keyBy(message -> "all", Types.STRING)
                .process(new Probe(), Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return shell.env().executeAsync("probe");
    }

    private static boolean timerFired() {
        return SEEN.stream().anyMatch(each -> each.startsWith("timer"));
    }

    @Test
    void aSilentPartitionHoldsTheClockBackUntilATickComes() throws Exception {
        KAFKA.create(2, "timed-a");
        KAFKA.create(1, "timed-b");
        JobShell shell = shell();
        JobClient job = start(shell, shell.source().timed("timed", List.of("timed-a", "timed-b")));
        try {
            KAFKA.append("timed-a", 0, 900, null, new byte[] {1});
            KAFKA.append("timed-a", 0, 5_000, null, new byte[] {2});
            KAFKA.append("timed-b", 0, 5_000, null, new byte[] {3});
            Waiting.until("three messages", SEEN::size, size -> size == 3);
            // Several of Flink's periodic watermarks, 200 ms apart, pass in vain.
            Thread.sleep(1_000);
            assertThat(timerFired()).as("partition 1 of timed-a is silent").isFalse();
            KAFKA.append("timed-a", 1, 1_001, null, null);
            Waiting.until("the timer", KafkaLogTest::timerFired, fired -> fired);
            assertThat(new ArrayList<>(SEEN))
                    .contains("message 0 at 900", "tick 1 at 1001")
                    .containsOnlyOnce("timer at watermark 1000");
        } finally {
            job.cancel().get();
        }
    }

    @Test
    void refusesMoreReadersThanPartitions() throws Exception {
        KAFKA.create(2, "two-partitions");
        KafkaConnection connection = KafkaConnection.to(KAFKA.bootstrap(), Optional.empty());
        assertThat(ReaderCount.checked(connection, List.of("two-partitions"), 2)).isEqualTo(2);
        assertThatThrownBy(() -> ReaderCount.checked(connection, List.of("two-partitions"), 3))
                .hasMessageContaining("kafka.source-parallelism is 3")
                .hasMessageContaining("at most 2");
        assertThatThrownBy(() -> ReaderCount.checked(connection, List.of("none-such"), 2))
                .hasMessageContaining("none-such");
    }

    @Test
    void aTimelessTopicHoldsNothingBack() throws Exception {
        KAFKA.create(1, "timed-c", "timeless");
        JobShell shell = shell();
        DataStream<LogRecord> both =
                shell.source()
                        .timed("timed", List.of("timed-c"))
                        .union(
                                shell.source()
                                        .timeless("timeless", "timeless")
                                        .filter(each -> true)
                                        .setParallelism(1));
        JobClient job = start(shell, both);
        try {
            KAFKA.append("timed-c", 0, 900, null, new byte[] {1});
            KAFKA.append("timed-c", 0, 1_001, null, null);
            Waiting.until(
                    "the timer, though the timeless topic is empty",
                    KafkaLogTest::timerFired,
                    fired -> fired);
        } finally {
            job.cancel().get();
        }
    }
}
