package io.quotascope.jobs.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.wire.Decoded;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class DecodeFunctionTest {

    private static Decoded<Integer> decode(byte[] framed) {
        return framed.length == 1
                ? new Decoded.Sound<>((int) framed[0])
                : new Decoded.Refused<>(Refusal.of(RefusalReason.UNDECODABLE, "not one byte"));
    }

    private static LogRecord message(long offset, byte... value) {
        return new LogRecord("topic", 3, offset, 99, value);
    }

    @Test
    void recordsGoOnRefusedOnesGoWholeToTheDeadLettersAndTicksEnd() throws Exception {
        try (OneInputStreamOperatorTestHarness<LogRecord, Integer> operator =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(new DecodeFunction<>(DecodeFunctionTest::decode)))) {
            operator.open();
            operator.processElement(message(0, (byte) 7), 99);
            operator.processElement(new LogRecord("topic", 3, 1, 100, null), 100);
            operator.processElement(message(2), 101);
            operator.processElement(message(3, (byte) 8), 102);
            assertThat(operator.extractOutputValues()).containsExactly(7, 8);
            assertThat(operator.getSideOutput(DecodeFunction.DEAD_LETTERS))
                    .extracting(StreamRecord::getValue)
                    .singleElement()
                    .satisfies(
                            letter -> {
                                assertThat(letter.source().place()).isEqualTo("topic/3/2");
                                assertThat(letter.refusal().code()).isEqualTo("undecodable");
                            });
        }
    }
}
