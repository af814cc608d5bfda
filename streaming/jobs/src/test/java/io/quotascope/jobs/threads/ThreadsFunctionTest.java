package io.quotascope.jobs.threads;

import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.ThreadRatios;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class ThreadsFunctionTest {

    private static ThreadRatio judged(ServiceWindow row) throws Exception {
        ThreadsFunction<ThreadRatio> function =
                new ThreadsFunction<>(JudgingInput.STATE, judged -> judged, 1);
        try (KeyedTwoInputStreamOperatorTestHarness<
                        String, ServiceWindow, ServiceCatalogEntry, ThreadRatio>
                operator =
                        new KeyedTwoInputStreamOperatorTestHarness<>(
                                new CoBroadcastWithKeyedOperator<>(
                                        function, List.of(JudgingInput.STATE.catalog())),
                                each -> KeyText.of(each.sums().key()),
                                null,
                                Types.STRING)) {
            operator.open();
            operator.processElement1(row, row.sums().windowStartUs() / 1000 + 91_000);
            return operator.extractOutputValues().get(0);
        }
    }

    @Test
    void withoutEbpfTheRunnableRatioIsNullAndOnlyItsBoundsAreStated() throws Exception {
        io.quotascope.wire.avro.ThreadRatio row =
                ThreadRatios.toAvro(judged(row(0, 0, 6, r -> {})));
        // 16 threads over 0.2 reserved cores.
        assertThat(row.getThreadsPerReservedCoreP99()).isEqualTo(16 / 0.2);
        assertThat(row.getRunnableThreadsPerReservedCoreP50()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreP90()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreP99()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreHigh())
                .isEqualTo(row.getThreadsPerReservedCoreP99());
        assertThat(row.getRunnableThreadsPerReservedCoreLow())
                .isPositive()
                .isLessThan(row.getRunnableThreadsPerReservedCoreHigh());
    }

    /** Threads are counted as a window ends; who used cores before had a thread on each. */
    @Test
    void theUpperBoundIsNeverBelowTheLowerOne() throws Exception {
        io.quotascope.wire.avro.ThreadRatio row =
                ThreadRatios.toAvro(judged(row(0, 0, 6, r -> r.threads = OptionalLong.of(0))));
        assertThat(row.getThreadsPerReservedCoreP99()).isZero();
        assertThat(row.getRunnableThreadsPerReservedCoreLow()).isPositive();
        assertThat(row.getRunnableThreadsPerReservedCoreHigh())
                .isEqualTo(row.getRunnableThreadsPerReservedCoreLow());
    }

    @Test
    void withoutAPidsControllerNothingIsMadeUp() throws Exception {
        io.quotascope.wire.avro.ThreadRatio row =
                ThreadRatios.toAvro(judged(row(0, 0, 6, r -> r.threads = OptionalLong.empty())));
        assertThat(row.getThreadsPerShard()).isNull();
        assertThat(row.getThreadsPerReservedCoreP50()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreHigh()).isNull();
    }
}
