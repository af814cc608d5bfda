package io.quotascope.jobs.alerts;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ServiceWindow;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class RowsToldFunctionTest {

    @Test
    void saysEveryStepOnceAndNeverAnEarlierOne() throws Exception {
        try (OneInputStreamOperatorTestHarness<ServiceWindow, Long> operator =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(new RowsToldFunction()))) {
            operator.open();
            for (int minute : new int[] {0, 1, 2, 40, 3, 41, 70}) {
                operator.processElement(row(minute, 0, 6, r -> {}), minute);
            }
            long first = RowsTold.stepOf(MINUTE_US / 1000 + 90_000);
            assertThat(operator.extractOutputValues()).containsExactly(first, first + 4, first + 7);
        }
    }

    @Test
    void aLatePartSaysHowFarItsClosingIs() throws Exception {
        try (OneInputStreamOperatorTestHarness<ServiceWindow, Long> operator =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(new RowsToldFunction()))) {
            operator.open();
            operator.processElement(row(0, 1_963_600, 6, r -> {}), 0);
            assertThat(operator.extractOutputValues())
                    .containsExactly((1_963_601L * 900_000 - 1) / RowsTold.STEP_MS);
        }
    }
}
