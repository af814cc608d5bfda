package io.quotascope.jobs.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ShardWindow;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmissionFunctionTest {
    private static final long START_MS = 1_767_225_600_000L;
    private static final long APPEND_MS = START_MS + 11_000;

    private OneInputStreamOperatorTestHarness<LogRecord, Arrival<ShardWindow>> operator;

    @BeforeEach
    void open() throws Exception {
        ProcessFunction<LogRecord, Arrival<ShardWindow>> function = new AdmissionFunction("host");
        operator = ProcessFunctionTestHarnesses.forProcessFunction(function);
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private static ShardRecord sound() {
        ShardRecord record = new ShardRecord();
        record.windowStartUs = START_MS * 1000;
        return record;
    }

    private void read(String topic, long appendMs, byte[] value) throws Exception {
        operator.processElement(new LogRecord(topic, 1, 99, appendMs, value), appendMs);
    }

    private String reasonFor(Consumer<ShardRecord> change) throws Exception {
        ShardRecord record = sound();
        change.accept(record);
        return reasonFor(record.framed(), APPEND_MS);
    }

    private String reasonFor(byte[] value, long appendMs) throws Exception {
        read("cpu", appendMs, value);
        Collection<StreamRecord<DeadLetter>> letters =
                operator.getSideOutput(DecodeFunction.DEAD_LETTERS);
        assertThat(letters).as("one dead letter").hasSize(1);
        DeadLetter letter = letters.iterator().next().getValue();
        letters.clear();
        assertThat(letter.source().value()).as("the whole message").isEqualTo(value);
        assertThat(letter.refusal().detail()).isNotBlank();
        assertThat(operator.extractOutputValues()).isEmpty();
        return letter.refusal().code();
    }

    @Test
    void letsSoundRecordsThroughByTheKindOfTheirTopic() throws Exception {
        read("cpu", APPEND_MS, sound().framed());
        HostRecord host = new HostRecord();
        host.windowStartUs = START_MS * 1000;
        read("host", APPEND_MS, host.framed());
        List<Arrival<ShardWindow>> shards = operator.extractOutputValues();
        assertThat(shards).hasSize(1);
        assertThat(shards.get(0).record()).isEqualTo(sound().build());
        assertThat(operator.getSideOutput(AdmissionFunction.HOSTS)).hasSize(1);
        assertThat(operator.getSideOutput(DecodeFunction.DEAD_LETTERS)).isNull();
    }

    @Test
    void skipsTicks() throws Exception {
        read("cpu", APPEND_MS, null);
        assertThat(operator.extractOutputValues()).isEmpty();
        assertThat(operator.getSideOutput(DecodeFunction.DEAD_LETTERS)).isNull();
    }

    @Test
    void refusesBytesThatAreNoRecord() throws Exception {
        byte[] good = sound().framed();
        byte[] unknown = good.clone();
        unknown[5] ^= 1;
        assertThat(reasonFor(new byte[0], APPEND_MS)).isEqualTo("bad_framing");
        assertThat(reasonFor(unknown, APPEND_MS)).isEqualTo("unknown_schema");
        assertThat(reasonFor(Arrays.copyOf(good, good.length - 3), APPEND_MS))
                .isEqualTo("undecodable");
        assertThat(reasonFor(Arrays.copyOf(good, good.length + 1), APPEND_MS))
                .isEqualTo("trailing_bytes");
    }

    @Test
    void refusesFieldsOutOfBoundsByName() throws Exception {
        assertThat(reasonFor(record -> record.service = "")).isEqualTo("invalid_field:service");
        assertThat(reasonFor(record -> record.usageUs = -1)).isEqualTo("invalid_field:usage_us");
        assertThat(reasonFor(record -> record.sampleIntervalUs = 10))
                .isEqualTo("invalid_field:sample_interval_us");
        assertThat(reasonFor(record -> record.epoch = 0)).isEqualTo("invalid_field:agent_epoch");
        assertThat(reasonFor(record -> record.host = "h".repeat(70_000)))
                .isEqualTo("invalid_field:host_id");
    }

    @Test
    void refusesWindowsThatDoNotFitTheirAppendTime() throws Exception {
        byte[] good = sound().framed();
        assertThat(reasonFor(record -> record.windowStartUs += 1)).isEqualTo("unaligned_window");
        // The window ends at START + 10 s: 60 s ahead is allowed, 6 h 30 min behind as well.
        assertThat(reasonFor(good, START_MS - 50_001)).isEqualTo("ahead_of_time");
        assertThat(reasonFor(good, START_MS + 10_000 + 23_400_001)).isEqualTo("too_old");
        read("cpu", START_MS - 50_000, good);
        read("cpu", START_MS + 10_000 + 23_400_000, good);
        assertThat(operator.extractOutputValues()).hasSize(2);
    }
}
