package io.quotascope.jobs.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.Sender;
import io.quotascope.jobs.io.log.Accepted;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IntakeFunctionTest {
    private static final long START_MS = 1_767_225_600_000L;

    /** A record that is nothing but its place in the sequence of a run. */
    private record Numbered(String host, long seq) {}

    private static final class Identity implements IntakeFunction.Identity<Numbered> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sender senderOf(Numbered record) {
            return new Sender(record.host(), 1, record.seq());
        }

        @Override
        public long windowStartUsOf(Numbered record) {
            return START_MS * 1000;
        }
    }

    private KeyedOneInputStreamOperatorTestHarness<String, Arrival<Numbered>, Accepted<Numbered>>
            operator;

    @BeforeEach
    void open() throws Exception {
        operator =
                ProcessFunctionTestHarnesses.forKeyedProcessFunction(
                        new IntakeFunction<>(new Identity()),
                        arrival -> arrival.record().host(),
                        Types.STRING);
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private void read(String host, long seq, long appendMs) throws Exception {
        operator.processElement(
                new Arrival<>(new byte[] {(byte) seq}, new Numbered(host, seq), appendMs),
                appendMs);
    }

    private List<Long> accepted() {
        return operator.extractOutputValues().stream().map(each -> each.record().seq()).toList();
    }

    @Test
    void acceptsEachNumberOnceAndJumpsOverGaps() throws Exception {
        for (long seq : new long[] {0, 1, 1, 0, 4, 3, 4, 5}) {
            read("a", seq, START_MS + 20_000 + seq);
        }
        assertThat(accepted()).containsExactly(0L, 1L, 4L, 5L);
    }

    private List<OptionalLong> missing() {
        return operator.extractOutputValues().stream().map(Accepted::missingBefore).toList();
    }

    @Test
    void saysHowManyRecordsOfTheRunAreMissingBeforeEach() throws Exception {
        for (long seq : new long[] {0, 1, 1, 4, 3, 5, 9}) {
            read("a", seq, START_MS + 20_000 + seq);
        }
        read("b", 7, START_MS + 20_000);
        read("b", 8, START_MS + 20_000);
        assertThat(missing())
                .containsExactly(
                        OptionalLong.of(0),
                        OptionalLong.of(0),
                        OptionalLong.of(2),
                        OptionalLong.of(0),
                        OptionalLong.of(3),
                        OptionalLong.empty(), // the log may simply begin here
                        OptionalLong.of(0));
    }

    @Test
    void countsTheSameGapsWhetherTheMarkWasForgottenYetOrNot() throws Exception {
        long laterMs = START_MS + 23_400_000 + 60_000 + 1;
        for (boolean forgotten : new boolean[] {true, false}) {
            String host = forgotten ? "a" : "b";
            read(host, 4, START_MS);
            if (forgotten) {
                operator.processWatermark(laterMs - 1);
            }
        }
        read("a", 9, laterMs);
        read("b", 9, laterMs);
        assertThat(missing()).hasSize(4).allMatch(OptionalLong::isEmpty);
    }

    @Test
    void keepsHostsApart() throws Exception {
        read("a", 7, START_MS);
        read("b", 3, START_MS);
        read("a", 7, START_MS);
        assertThat(accepted()).containsExactly(7L, 3L);
    }

    @Test
    void forgetsARunOnlyAfterARepetitionWouldBeTooOld() throws Exception {
        read("a", 0, START_MS);
        long keptMs = 23_400_000 + 60_000;
        operator.processWatermark(START_MS + keptMs - 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        operator.processWatermark(START_MS + keptMs);
        assertThat(operator.numKeyedStateEntries()).as("state after its end").isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void keepsTheMarkAsLongAsRecordsCome() throws Exception {
        long hourMs = 3_600_000;
        for (int hour = 0; hour < 24; hour++) {
            read("a", hour, START_MS + hour * hourMs);
            operator.processWatermark(START_MS + hour * hourMs - 1);
        }
        read("a", 22, START_MS + 24 * hourMs);
        assertThat(accepted()).hasSize(24).doesNotHaveDuplicates();
        assertThat(operator.numEventTimeTimers())
                .as("one timer a run, not one a record")
                .isEqualTo(1);
        operator.processWatermark(START_MS + 40 * hourMs);
        assertThat(operator.numKeyedStateEntries()).isZero();
    }

    @Test
    void countsARecordOfAClockThatWasSetBackAsAppendedNow() throws Exception {
        read("a", 0, START_MS + 95_000);
        // The watermark has passed the end of part 0 of the minute, START + 60 s + 30 s, whose row
        // is written.
        operator.processWatermark(START_MS + 94_999);
        read("a", 1, START_MS + 50_000);
        Accepted<Numbered> late = operator.extractOutputValues().get(1);
        assertThat(late.appendTimeMs()).isEqualTo(START_MS + 95_000);
        assertThat(late.part().part()).isEqualTo((START_MS + 95_000) / 900_000);
    }

    @Test
    void restoresItsMarks() throws Exception {
        read("a", 5, START_MS);
        var state = operator.snapshot(1, 1);
        try (var restored =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new org.apache.flink.streaming.api.operators.KeyedProcessOperator<>(
                                new IntakeFunction<>(new Identity())),
                        (Arrival<Numbered> arrival) -> arrival.record().host(),
                        Types.STRING)) {
            restored.initializeState(state);
            restored.open();
            restored.processElement(
                    new Arrival<>(new byte[0], new Numbered("a", 5), START_MS + 1), START_MS + 1);
            restored.processElement(
                    new Arrival<>(new byte[0], new Numbered("a", 6), START_MS + 2), START_MS + 2);
            assertThat(restored.extractOutputValues())
                    .extracting(each -> each.record().seq())
                    .containsExactly(6L);
        }
    }
}
